package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * Configuration of scaled dot-product attention with several heads (Vaswani et al.: "Attention Is
 * All You Need", 2017), without its projections. A position has the queries of all heads, then
 * their keys, then their values; the result has a third of these features. It has no parameters.
 */
public final class SelfAttention extends SequenceLayer {
  @JsonProperty private int heads;
  @JsonProperty private boolean causal;
  @JsonProperty private double keep;

  /** For deserialization. */
  SelfAttention() {}

  /**
   * @param heads a divisor of the result's features
   * @param causal whether a position attends to itself and those before it alone
   * @param keep share of the attention weights that dropout keeps in training; 1 for no dropout
   */
  public SelfAttention(int heads, boolean causal, double keep) {
    this.heads = heads;
    this.causal = causal;
    this.keep = keep;
  }

  /** Number of heads. */
  public int heads() {
    return heads;
  }

  /** Whether a position attends to itself and those before it alone. */
  public boolean causal() {
    return causal;
  }

  /** Share of the attention weights that dropout keeps. */
  public double keep() {
    return keep;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of();
  }

  @Override
  public void setNIn(InputType input, boolean override) {
    nIn = sequence(input).getSize();
    if (heads < 1 || nIn % (3L * heads) != 0) {
      throw new IllegalArgumentException(
          "layer %s: expected a multiple of 3 times %d heads as inputs, found %d"
              .formatted(layerName, heads, nIn));
    }
    nOut = nIn / 3;
  }
}
