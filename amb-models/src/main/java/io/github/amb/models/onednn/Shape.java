package io.github.amb.models.onednn;

/**
 * Shape of one example's values.
 *
 * @param channels number of planes, or of entries of a vector or of each position of a sequence
 * @param height 0 for a vector; the number of positions of a sequence
 * @param width 0 for a vector or a sequence
 */
record Shape(int channels, int height, int width) {
  static Shape vector(int length) {
    return new Shape(length, 0, 0);
  }

  /** Vectors of {@code features} entries at each of several positions. */
  static Shape sequence(int positions, int features) {
    return new Shape(features, positions, 0);
  }

  boolean isSequence() {
    return height > 0 && width == 0;
  }

  /** Number of positions, each of which has a vector; 1 if it is not a sequence. */
  int positions() {
    return isSequence() ? height : 1;
  }

  /** Number of values of a position. */
  int features() {
    return size() / positions();
  }

  boolean isVector() {
    return height == 0;
  }

  /** Number of values. */
  int size() {
    return isVector() ? channels : channels * height * Math.max(1, width);
  }

  /** Dimensions of an array of {@code examples} such values; sequences are one after the other. */
  long[] dimensions(int examples) {
    return isVector() || isSequence()
        ? new long[] {(long) examples * positions(), channels}
        : new long[] {examples, channels, height, width};
  }
}
