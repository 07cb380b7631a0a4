package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.ImageShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Layer;

/** A sequence of layers. */
public final class LayerSequence extends Architecture {
  private final MultiLayerConfiguration configuration;

  LayerSequence(MultiLayerConfiguration configuration, ImageShape input) {
    super(input);
    this.configuration = configuration;
  }

  @Override
  public List<Part> parts() {
    List<InputType> outputs = configuration.getLayerActivationTypes(inputType());
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      Layer layer = configuration.getConf(i).getLayer();
      String type = layer.getClass().getSimpleName();
      parts.add(new Part(layer.getLayerName(), type, outputs.get(i), layer));
    }
    return parts;
  }

  @Override
  public List<Stage> stages() {
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < configuration.getConfs().size(); i++) {
      List<String> inputs = i == 0 ? List.of() : List.of(Integer.toString(i - 1));
      stages.add(
          new Stage(
              Integer.toString(i),
              configuration.getConf(i),
              null,
              configuration.getInputPreProcess(i),
              inputs));
    }
    return stages;
  }

  @Override
  Map<String, InputType> outputs() {
    List<InputType> types = configuration.getLayerActivationTypes(inputType());
    return IntStream.range(0, types.size())
        .boxed()
        .collect(Collectors.toMap(i -> Integer.toString(i), types::get));
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
    return configuration.getConf(0).getLayer();
  }
}
