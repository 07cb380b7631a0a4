package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;

/**
 * The layers of a network.
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
   * @param parameters number of its trainable parameters
   * @param statistics number of its running statistics
   */
  public record LayerSummary(
      String name, String type, String output, long parameters, long statistics) {}

  /** Number of trainable parameters of all layers. */
  public long parameters() {
    return layers.stream().mapToLong(LayerSummary::parameters).sum();
  }

  /** Number of running statistics of all layers, which are averaged instead of trained. */
  public long statistics() {
    return layers.stream().mapToLong(LayerSummary::statistics).sum();
  }

  static NetworkSummary of(String name, Architecture architecture, int classes) {
    return new NetworkSummary(
        name,
        architecture.input(),
        classes,
        architecture.parts().stream().map(NetworkSummary::layer).toList());
  }

  private static LayerSummary layer(Architecture.Part part) {
    String type = part.type().replace("Layer", "").replace("Vertex", "");
    String shape =
        Arrays.stream(part.output().getShape())
            .mapToObj(Long::toString)
            .collect(Collectors.joining("x"));
    var layer = part.layer();
    long all = layer == null ? 0 : layer.initializer().numParams(layer);
    long statistics = layer instanceof BatchNormalization batch ? 2 * batch.getNOut() : 0;
    return new LayerSummary(part.name(), type, shape, all - statistics, statistics);
  }
}
