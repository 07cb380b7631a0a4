package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * Configuration of the sum of a vector per token and one per position. An example is a vector of
 * tokens, from 0 to less than the vocabulary's size. Parameters: W, [vocabulary, width]; P,
 * [context, width].
 */
public final class SequenceEmbedding extends SequenceLayer {
  @JsonProperty private int context;
  @JsonProperty private double deviation;

  /** For deserialization. */
  SequenceEmbedding() {}

  /**
   * @param vocabulary number of tokens
   * @param width features of a position
   * @param context maximum number of positions
   * @param deviation of the initial parameters
   */
  public SequenceEmbedding(int vocabulary, int width, int context, double deviation) {
    this.context = context;
    this.deviation = deviation;
    setNIn(vocabulary);
    setNOut(width);
  }

  /** Maximum number of positions. */
  public int context() {
    return context;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter("W", 0, deviation, nIn, nOut),
        new Parameter("P", 0, deviation, context, nOut));
  }

  /** The number of inputs is the vocabulary's size, whatever the examples. */
  @Override
  public void setNIn(InputType input, boolean override) {}

  @Override
  public InputType getOutputType(int index, InputType input) {
    long positions = input.arrayElementsPerExample();
    if (positions > context) {
      throw new IllegalArgumentException(
          "layer %s: expected at most %d tokens, found %d"
              .formatted(layerName, context, positions));
    }
    return InputType.recurrent(nOut, positions);
  }

  @Override
  public InputPreProcessor getPreProcessorForInputType(InputType input) {
    return input instanceof InputType.InputTypeConvolutional image
        ? new CnnToFeedForwardPreProcessor(image.getHeight(), image.getWidth(), image.getChannels())
        : null;
  }
}
