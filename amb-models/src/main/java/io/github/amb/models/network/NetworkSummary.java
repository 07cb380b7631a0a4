package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Layer;

/**
 * What a network is made of.
 *
 * @param name what the user calls it
 * @param input shape of one example
 * @param classes number of classes
 * @param layers from input to output
 */
public record NetworkSummary(
    String name, ImageShape input, int classes, List<LayerSummary> layers) {
  /**
   * One layer.
   *
   * @param name such as {@code conv1}
   * @param type such as {@code Convolution}
   * @param output shape of its result for one example, such as {@code 32x28x28}
   * @param parameters number of its parameters
   */
  public record LayerSummary(String name, String type, String output, long parameters) {}

  /** Number of parameters of all layers. */
  public long parameters() {
    return layers.stream().mapToLong(LayerSummary::parameters).sum();
  }

  static NetworkSummary of(NetworkDefinition definition) {
    MultiLayerConfiguration configuration = definition.configuration();
    ImageShape shape = definition.input();
    boolean images =
        configuration
                .getConf(0)
                .getLayer()
                .getPreProcessorForInputType(InputType.convolutional(1, 1, 1))
            == null;
    InputType input =
        images
            ? InputType.convolutional(shape.height(), shape.width(), shape.channels())
            : InputType.feedForward(shape.size());
    List<InputType> outputs = configuration.getLayerActivationTypes(input);
    List<LayerSummary> layers = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      layers.add(layer(configuration.getConf(i).getLayer(), outputs.get(i)));
    }
    return new NetworkSummary(definition.name(), shape, definition.classes(), layers);
  }

  private static LayerSummary layer(Layer layer, InputType output) {
    String type =
        layer
            .getClass()
            .getSimpleName()
            .replace("Accumulating", "")
            .replace("Input", "")
            .replace("Layer", "");
    String shape =
        Arrays.stream(output.getShape()).mapToObj(Long::toString).collect(Collectors.joining("x"));
    return new LayerSummary(
        layer.getLayerName(), type, shape, layer.initializer().numParams(layer));
  }
}
