package io.github.amb.models.dl4j;

import java.util.List;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/** Configuration of one fully connected layer for all positions, without activation. */
public final class SequenceDense extends SequenceLayer {
  @JsonProperty private boolean hasBias;
  @JsonProperty private double deviation;

  /** For deserialization. */
  SequenceDense() {}

  /**
   * @param outputs features of a position of the result
   * @param deviation of the initial weights; biases are 0
   */
  public SequenceDense(int outputs, boolean hasBias, double deviation) {
    this.hasBias = hasBias;
    this.deviation = deviation;
    setNOut(outputs);
  }

  @Override
  public List<Parameter> parameters() {
    Parameter weights = new Parameter("W", 0, deviation, nOut, nIn);
    return hasBias ? List.of(weights, new Parameter("b", 0, nOut)) : List.of(weights);
  }
}
