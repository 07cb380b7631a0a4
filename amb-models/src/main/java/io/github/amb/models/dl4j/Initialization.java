package io.github.amb.models.dl4j;

/**
 * What all weights of a network are drawn from, in place of its usual distributions. Biases, and
 * scales and shifts of normalizations, stay as they are.
 *
 * @param convolutions distribution of weights of convolutions
 * @param dense distribution of weights of fully connected layers, the output layer among them
 */
public record Initialization(Distribution convolutions, Distribution dense) {
  private static final String DENSE = ",dense=";

  /**
   * An initialization as users write it: {@code DISTRIBUTION}, or {@code
   * DISTRIBUTION,dense=DISTRIBUTION}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Initialization parse(String text) {
    int comma = text.indexOf(DENSE);
    Distribution all = Distribution.parse(comma < 0 ? text : text.substring(0, comma));
    return new Initialization(
        all, comma < 0 ? all : Distribution.parse(text.substring(comma + DENSE.length())));
  }
}
