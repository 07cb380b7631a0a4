package io.github.amb.models.onednn;

/**
 * Shape of one example's values.
 *
 * @param channels number of planes, or of entries of a vector
 * @param height 0 for a vector
 * @param width 0 for a vector
 */
public record Shape(int channels, int height, int width) {
  public static Shape vector(int length) {
    return new Shape(length, 0, 0);
  }

  public boolean isVector() {
    return height == 0;
  }

  /** Number of values. */
  public int size() {
    return isVector() ? channels : channels * height * width;
  }

  /** Dimensions of an array of {@code examples} such values. */
  public long[] dimensions(int examples) {
    return isVector()
        ? new long[] {examples, channels}
        : new long[] {examples, channels, height, width};
  }
}
