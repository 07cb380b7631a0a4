package io.github.amb.models.graph;

/**
 * Shape of one example's values.
 *
 * @param channels number of planes, or of entries of a vector or of each position of a sequence
 * @param height 0 for a vector; the number of positions of a sequence
 * @param width 0 for a vector or a sequence
 */
public record Shape(int channels, int height, int width) {
  public static Shape vector(int length) {
    return new Shape(length, 0, 0);
  }

  /** Vectors of {@code features} entries at each of several positions. */
  public static Shape sequence(int positions, int features) {
    return new Shape(features, positions, 0);
  }

  public boolean isSequence() {
    return height > 0 && width == 0;
  }

  /** Number of positions, each of which has a vector; 1 if it is not a sequence. */
  public int positions() {
    return isSequence() ? height : 1;
  }

  /** Number of values of a position. */
  public int features() {
    return size() / positions();
  }

  public boolean isVector() {
    return height == 0;
  }

  /** Number of values. */
  public int size() {
    return isVector() ? channels : channels * height * Math.max(1, width);
  }

  /** Dimensions of an array of {@code examples} such values; sequences are one after the other. */
  public long[] dimensions(int examples) {
    return isVector() || isSequence()
        ? new long[] {(long) examples * positions(), channels}
        : new long[] {examples, channels, height, width};
  }
}
