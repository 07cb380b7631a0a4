package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.ImageShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.LayerVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;

/** A graph of layers and other vertices, with one input and one output. */
public final class LayerGraph extends Architecture {
  private final ComputationGraphConfiguration configuration;

  LayerGraph(ComputationGraphConfiguration configuration, ImageShape input) {
    super(input);
    this.configuration = configuration;
  }

  @Override
  public List<Part> parts() {
    Map<String, InputType> outputs = outputs();
    List<Part> parts = new ArrayList<>();
    configuration
        .getVertices()
        .forEach((name, vertex) -> parts.add(part(name, vertex, outputs.get(name))));
    return parts;
  }

  /** The types of the layers' results, computed on a copy, as DL4J changes numbers of inputs. */
  @Override
  Map<String, InputType> outputs() {
    return configuration.clone().getLayerActivationTypes(true, false, inputType());
  }

  private static Part part(String name, GraphVertex vertex, InputType output) {
    Layer layer = layer(vertex);
    Object named = layer == null ? vertex : layer;
    return new Part(name, named.getClass().getSimpleName(), output, layer);
  }

  private static Layer layer(GraphVertex vertex) {
    return vertex instanceof LayerVertex holder ? holder.getLayerConf().getLayer() : null;
  }

  @Override
  public List<Stage> stages() {
    var indices = new ComputationGraph(configuration).calculateIndices();
    return Arrays.stream(indices.getTopologicalSortOrder())
        .mapToObj(indices.getIdxToName()::get)
        .filter(name -> !configuration.getNetworkInputs().contains(name))
        .map(this::stage)
        .toList();
  }

  private Stage stage(String name) {
    GraphVertex vertex = configuration.getVertices().get(name);
    List<String> inputs = new ArrayList<>(configuration.getVertexInputs().get(name));
    inputs.removeAll(configuration.getNetworkInputs());
    return vertex instanceof LayerVertex holder
        ? new Stage(name, holder.getLayerConf(), null, holder.getPreProcessor(), inputs)
        : new Stage(name, null, vertex, null, inputs);
  }

  /** The configurations of a graph's layers. */
  public static List<NeuralNetConfiguration> configurations(ComputationGraphConfiguration graph) {
    return graph.getVertices().values().stream()
        .filter(LayerVertex.class::isInstance)
        .map(vertex -> ((LayerVertex) vertex).getLayerConf())
        .toList();
  }

  @Override
  public String toJson() {
    return configuration.toJson();
  }

  @Override
  public TrainableNetwork instantiate() {
    return TrainableNetwork.of(configuration);
  }

  @Override
  Layer first() {
    String input = configuration.getNetworkInputs().get(0);
    return configuration.getVertexInputs().entrySet().stream()
        .filter(entry -> entry.getValue().contains(input))
        .map(entry -> layer(configuration.getVertices().get(entry.getKey())))
        .filter(layer -> layer != null)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("expected a layer that takes input " + input));
  }
}
