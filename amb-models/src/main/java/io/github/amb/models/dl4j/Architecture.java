package io.github.amb.models.dl4j;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;

/** The configuration of a DL4J network, a sequence or a graph, for examples of one shape. */
public abstract sealed class Architecture permits LayerSequence, LayerGraph {
  private static final String OWN = "io.github.amb.";

  private final ImageShape input;
  private float[] initial;
  private Initialization initialization;
  private String note = "";

  Architecture(ImageShape input) {
    this.input = input;
  }

  /**
   * A sequence of layers.
   *
   * @param configuration its last layer must be an output layer that {@link #misfit} accepts
   * @param input shape of one example
   */
  public static Architecture of(MultiLayerConfiguration configuration, ImageShape input) {
    return new LayerSequence(configuration, input);
  }

  /**
   * A graph of layers with one input and one output.
   *
   * @param configuration its output must be an output layer that {@link #misfit} accepts
   * @param input shape of one example
   */
  public static Architecture of(ComputationGraphConfiguration configuration, ImageShape input) {
    return new LayerGraph(configuration, input);
  }

  /**
   * A layer, or a vertex of a graph that is not a layer.
   *
   * @param name its name in the network
   * @param type simple name of its configuration's class
   * @param output type and shape of its result
   * @param layer its configuration; null if it is not a layer
   */
  public record Part(String name, String type, InputType output, Layer layer) {
    /** Rejects a layer of this program, which readers of a file of DL4J do not have. */
    private void requireKnown() {
      if (layer != null && layer.getClass().getName().startsWith(OWN)) {
        throw new UsageException(
            "layer %s is %s, which DL4J does not have; export the run as npz or safetensors",
            name, layer.getClass().getSimpleName());
      }
    }
  }

  /** Sets the initial parameters, which are then not drawn; returns this. */
  public Architecture startingFrom(float[] parameters) {
    initial = parameters;
    return this;
  }

  /** Sets the distributions of the initial weights; returns this. */
  public Architecture startingFrom(Initialization other) {
    initialization = other;
    return this;
  }

  /** Sets what of the network's file is not used; returns this. */
  public Architecture noting(String unused) {
    note = unused;
    return this;
  }

  /** What of the network's file is not used; empty if that is nothing. */
  public String note() {
    return note;
  }

  /** The distributions of the initial weights; null for those of the layers. */
  Initialization initialization() {
    return initialization;
  }

  /** The initial parameters as a flat vector; null if they are drawn. */
  float[] initial() {
    return initial;
  }

  /** The configuration as DL4J's JSON. */
  public abstract String toJson();

  /**
   * Writes the network with its parameters, in the format of DL4J's {@code ModelSerializer}.
   *
   * @param parameters the flat vector; not modified
   * @param file a new file
   * @throws UsageException if a layer is not one of DL4J's
   */
  public final void write(float[] parameters, Path file) throws IOException {
    parts().forEach(Part::requireKnown);
    Natives.require("a file for DL4J");
    try (TrainableNetwork network = instantiate()) {
      network.load(parameters);
      network.write(file);
    }
  }

  /**
   * Explains why the network cannot predict for examples of its input's shape.
   *
   * @param targets what is to be predicted
   * @param classes number of classes, labels or numbers
   * @return empty if it can
   */
  public final Optional<String> misfit(Targets targets, int classes) {
    try {
      List<Part> parts = parts();
      return Stream.concat(misfits(), outputMisfit(parts.get(parts.size() - 1), targets, classes))
          .findFirst();
    } catch (RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()).lines().findFirst().orElse("no layers"));
    }
  }

  /** Number of predictions of one example: 1, or that of the positions of a sequence. */
  public final long positions() {
    List<Part> parts = parts();
    return parts.get(parts.size() - 1).output() instanceof InputType.InputTypeRecurrent sequence
        ? sequence.getTimeSeriesLength()
        : 1;
  }

  /** The types of the stages' results, by the stage's name. */
  abstract Map<String, InputType> outputs();

  /** One line per layer that gets an input of another size than it expects. */
  private Stream<String> misfits() {
    Map<String, InputType> outputs = outputs();
    return stages().stream()
        .filter(stage -> stage.layer() != null)
        .flatMap(
            stage -> {
              List<String> from = stage.inputs();
              InputType input = from.isEmpty() ? inputType() : outputs.get(from.get(0));
              InputPreProcessor before = stage.preProcessor();
              return misfit(
                  stage.layer().getLayer(), before == null ? input : before.getOutputType(input));
            });
  }

  /** A line if a layer gets an input of another size than it expects. */
  private static Stream<String> misfit(Layer layer, InputType found) {
    // DL4J's dropout is such a layer, too, but accepts any size; an embedding takes tokens.
    if (!(layer instanceof FeedForwardLayer sized)
        || layer instanceof DropoutLayer
        || layer instanceof SequenceEmbedding) {
      return Stream.empty();
    }
    long size =
        found instanceof InputType.InputTypeConvolutional images
            ? images.getChannels()
            : found instanceof InputType.InputTypeRecurrent sequence
                ? sequence.getSize()
                : found.arrayElementsPerExample();
    return sized.getNIn() == size
        ? Stream.empty()
        : Stream.of(
            "layer %s expects %d inputs, found %d (%s)"
                .formatted(
                    layer.getLayerName(), sized.getNIn(), size, Arrays.toString(found.getShape())));
  }

  private static Stream<String> outputMisfit(Part last, Targets targets, int classes) {
    Optional<Loss> loss = Loss.of(last.layer());
    if (loss.isPresent()) {
      long outputs = ((BaseOutputLayer) last.layer()).getNOut();
      return loss.get().misfit(outputs, targets, classes).stream()
          .map(misfit -> "layer %s has %s".formatted(last.name(), misfit));
    }
    String found =
        last.layer() instanceof BaseOutputLayer output
            ? " with %s and loss %s"
                .formatted(output.getActivationFn(), output.getLossFn().getClass().getSimpleName())
            : "";
    return Stream.of(
        "layer %s: expected an output layer with softmax and loss MCXENT, sigmoid and XENT, or a loss of single outputs such as MSE, found %s%s"
            .formatted(last.name(), last.type(), found));
  }

  final BaseOutputLayer last() {
    List<Stage> stages = stages();
    return (BaseOutputLayer) stages.get(stages.size() - 1).layer().getLayer();
  }

  /** The loss of its outputs, if it is not a {@link #misfit}. */
  public final Loss loss() {
    return Loss.of(last()).orElseThrow();
  }

  /** The function of the network's last value that makes predictions, such as softmax. */
  public final String predicts() {
    return Loss.takesArguments(last()) ? last().getActivationFn().toString() : "identity";
  }

  /** Number of outputs of a position. */
  public final int outputUnits() {
    return Math.toIntExact(last().getNOut());
  }

  /** The layers and vertices, from input to output. */
  public abstract List<Part> parts();

  /**
   * A layer, or a vertex of a graph that is not a layer, with its inputs.
   *
   * @param name its name in the network
   * @param layer its configuration; null if it is not a layer
   * @param vertex its configuration; null if it is a layer
   * @param preProcessor changes the shape of its input; null for none
   * @param inputs names of the stages whose results it takes; empty for the network's input
   */
  public record Stage(
      String name,
      NeuralNetConfiguration layer,
      GraphVertex vertex,
      InputPreProcessor preProcessor,
      List<String> inputs) {}

  /** The stages in the order of the parameter vector. A stage follows its inputs. */
  public abstract List<Stage> stages();

  /** Creates a network with its own parameters and memory; the caller closes it. */
  public abstract TrainableNetwork instantiate();

  /** The configuration of the layer that takes the input. */
  abstract Layer first();

  /** Shape of one example. */
  public ImageShape input() {
    return input;
  }

  /** True if an example is a vector for the network, false if it is a set of planes. */
  public boolean flat() {
    var image = InputType.convolutional(input.height(), input.width(), input.channels());
    return first().getPreProcessorForInputType(image) != null;
  }

  InputType inputType() {
    return flat()
        ? InputType.feedForward(input.size())
        : InputType.convolutional(input.height(), input.width(), input.channels());
  }
}
