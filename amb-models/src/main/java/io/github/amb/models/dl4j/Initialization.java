package io.github.amb.models.dl4j;

/**
 * Distributions of all initial weights of a network, in place of its default ones. Biases and the
 * scales and shifts of normalizations are not affected.
 *
 * @param convolutions distribution of weights of convolutions
 * @param dense distribution of weights of fully connected layers, including the output layer
 */
public record Initialization(Distribution convolutions, Distribution dense) {
  private static final String DENSE = ",dense=";

  /**
   * Parses {@code DISTRIBUTION} or {@code DISTRIBUTION,dense=DISTRIBUTION}.
   *
   * @throws IllegalArgumentException if the text is not an initialization
   */
  public static Initialization parse(String text) {
    int comma = text.indexOf(DENSE);
    Distribution all = Distribution.parse(comma < 0 ? text : text.substring(0, comma));
    return new Initialization(
        all, comma < 0 ? all : Distribution.parse(text.substring(comma + DENSE.length())));
  }
}
