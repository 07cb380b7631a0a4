package io.github.amb.models.dl4j;

import java.util.List;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * Configuration of layer normalization (Ba, Kiros and Hinton: "Layer Normalization", 2016) of each
 * position. Results are multiplied by γ and, optionally, shifted by β.
 */
public final class SequenceNormalization extends SequenceLayer {
  @JsonProperty private boolean hasBias;
  @JsonProperty private double epsilon;

  /** For deserialization. */
  SequenceNormalization() {}

  /** With ε = 1e-5, as PyTorch has it. */
  public SequenceNormalization(boolean hasBias) {
    this.hasBias = hasBias;
    epsilon = 1e-5;
  }

  /** Added to variances. */
  public double epsilon() {
    return epsilon;
  }

  @Override
  public List<Parameter> parameters() {
    Parameter gamma = new Parameter("gamma", 1, nOut);
    return hasBias ? List.of(gamma, new Parameter("beta", 0, nOut)) : List.of(gamma);
  }
}
