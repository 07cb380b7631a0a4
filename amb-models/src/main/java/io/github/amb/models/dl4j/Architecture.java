package io.github.amb.models.dl4j;

import io.github.amb.models.data.ImageShape;
import java.util.Arrays;
import java.util.List;
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
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;
import org.nd4j.linalg.lossfunctions.impl.LossMSE;

/** Configuration of a DL4J network for examples of one shape, be it a sequence or a graph. */
public abstract sealed class Architecture permits LayerSequence, LayerGraph {
  private final ImageShape input;
  private float[] initial;
  private Initialization initialization;

  Architecture(ImageShape input) {
    this.input = input;
  }

  /**
   * A network of layers one after the other.
   *
   * @param configuration its last layer is an output layer as {@link #misfit} wants it
   * @param input shape of one example
   */
  public static Architecture of(MultiLayerConfiguration configuration, ImageShape input) {
    return new LayerSequence(configuration, input);
  }

  /**
   * A network whose layers form a graph, with one input and one output.
   *
   * @param configuration its output is an output layer as {@link #misfit} wants it
   * @param input shape of one example
   */
  public static Architecture of(ComputationGraphConfiguration configuration, ImageShape input) {
    return new LayerGraph(configuration, input);
  }

  /**
   * One layer, or one vertex of a graph that is no layer.
   *
   * @param name its name in the network
   * @param type simple name of its configuration's class
   * @param output type and shape of its result
   * @param layer its configuration; null if it is no layer
   */
  public record Part(String name, String type, InputType output, Layer layer) {}

  /** The same network, whose initial parameters are given instead of drawn. */
  Architecture startingFrom(float[] parameters) {
    initial = parameters;
    return this;
  }

  /** The same network, whose weights are drawn from other distributions. */
  public Architecture startingFrom(Initialization other) {
    initialization = other;
    return this;
  }

  /** What weights are drawn from; null for what the layers say. */
  Initialization initialization() {
    return initialization;
  }

  /** Its initial parameters; null if they are drawn. */
  float[] initial() {
    return initial;
  }

  /** The configuration as DL4J writes it. */
  public abstract String toJson();

  /**
   * Why the network cannot classify examples of its input's shape, nor predict a number of them.
   *
   * @return empty if it can
   */
  public final Optional<String> misfit(int classes) {
    try {
      List<Part> parts = parts();
      return Stream.concat(misfits(), outputMisfit(parts.get(parts.size() - 1), classes))
          .findFirst();
    } catch (RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()).lines().findFirst().orElse("no layers"));
    }
  }

  /** What layers expect as input and do not get. */
  abstract Stream<String> misfits();

  /** What a layer expects as input and does not get. */
  static Stream<String> misfit(Layer layer, InputType found) {
    // DL4J's dropout is such a layer, too, but takes any size.
    if (!(layer instanceof FeedForwardLayer sized) || layer instanceof DropoutLayer) {
      return Stream.empty();
    }
    long size =
        found instanceof InputType.InputTypeConvolutional images
            ? images.getChannels()
            : found.arrayElementsPerExample();
    return sized.getNIn() == size
        ? Stream.empty()
        : Stream.of(
            "layer %s expects %d inputs, found %d (%s)"
                .formatted(
                    layer.getLayerName(), sized.getNIn(), size, Arrays.toString(found.getShape())));
  }

  private static Stream<String> outputMisfit(Part last, int classes) {
    boolean softmax =
        last.layer() instanceof BaseOutputLayer output
            && output.getLossFn() instanceof LossMCXENT
            && output.getActivationFn() instanceof ActivationSoftmax;
    boolean regression = isRegression(last.layer());
    if (!softmax && !regression) {
      return Stream.of(
          "layer %s: expected an output layer with softmax and loss MCXENT, or with identity and loss MSE, found %s"
              .formatted(last.name(), last.type()));
    }
    long outputs = ((BaseOutputLayer) last.layer()).getNOut();
    if (outputs == (regression ? 1 : classes)) {
      return Stream.empty();
    }
    return Stream.of(
        regression
            ? "layer %s: expected 1 output with loss MSE, found %d".formatted(last.name(), outputs)
            : "layer %s has %d outputs, found %d classes".formatted(last.name(), outputs, classes));
  }

  private static boolean isRegression(Layer last) {
    return last instanceof BaseOutputLayer output
        && output.getLossFn() instanceof LossMSE
        && output.getActivationFn() instanceof ActivationIdentity;
  }

  /** True if it predicts one number with squared error, false if classes with cross-entropy. */
  public final boolean isRegression() {
    List<Stage> stages = stages();
    NeuralNetConfiguration last = stages.get(stages.size() - 1).layer();
    return last != null && isRegression(last.getLayer());
  }

  /** Its parts from input to output. */
  public abstract List<Part> parts();

  /**
   * One layer, or one vertex of a graph that is no layer, and what it is applied to.
   *
   * @param name its name in the network
   * @param layer its configuration; null if it is no layer
   * @param vertex its configuration; null if it is a layer
   * @param preProcessor what changes the shape of its input; null for none
   * @param inputs names of those whose results it takes; empty for the network's input
   */
  public record Stage(
      String name,
      NeuralNetConfiguration layer,
      GraphVertex vertex,
      InputPreProcessor preProcessor,
      List<String> inputs) {}

  /** Its stages in the order of the parameter vector, each after those whose results it takes. */
  public abstract List<Stage> stages();

  /** A network with parameters and memory of its own; the caller closes it. */
  abstract TrainableNetwork instantiate();

  /** The configuration of the layer that takes the input. */
  abstract Layer first();

  /** Shape of one example. */
  public ImageShape input() {
    return input;
  }

  /** True if the network takes an example as a vector, false if as planes. */
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
