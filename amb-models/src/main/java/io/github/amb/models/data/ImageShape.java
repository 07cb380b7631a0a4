package io.github.amb.models.data;

/**
 * Shape of one example, channels first.
 *
 * @param channels number of planes
 * @param height rows
 * @param width columns
 */
public record ImageShape(int channels, int height, int width) {
  /** Number of features of one example. */
  public int size() {
    return channels * height * width;
  }

  /** {@code channels x height x width}, such as {@code 1x28x28}. */
  @Override
  public String toString() {
    return channels + "x" + height + "x" + width;
  }
}
