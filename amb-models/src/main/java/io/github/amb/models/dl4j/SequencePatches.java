package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * Configuration of the sequence of an image's pixels, row by row, each with a vector of its
 * channels, to which one per position is added. After a convolution that takes each patch of an
 * image once, a position is a patch. Parameter: P, [positions, channels].
 */
public final class SequencePatches extends SequenceLayer {
  @JsonProperty private int positions;
  @JsonProperty private double deviation;

  /** For deserialization. */
  SequencePatches() {}

  /**
   * @param deviation of the initial parameters
   */
  public SequencePatches(double deviation) {
    this.deviation = deviation;
  }

  private InputType.InputTypeConvolutional image(InputType input) {
    if (input instanceof InputType.InputTypeConvolutional image) {
      return image;
    }
    throw new IllegalArgumentException(
        "layer %s: expected images, found %s".formatted(layerName, input));
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(new Parameter("P", 0, deviation, positions, nOut));
  }

  @Override
  public void setNIn(InputType input, boolean override) {
    nIn = image(input).getChannels();
    nOut = nIn;
    positions = (int) (image(input).getHeight() * image(input).getWidth());
  }

  @Override
  public InputType getOutputType(int index, InputType input) {
    long found = image(input).getHeight() * image(input).getWidth();
    if (found != positions) {
      throw new IllegalArgumentException(
          "layer %s: expected %d positions, found %d".formatted(layerName, positions, found));
    }
    return InputType.recurrent(nOut, positions);
  }
}
