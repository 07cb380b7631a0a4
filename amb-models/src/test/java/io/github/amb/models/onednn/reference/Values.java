package io.github.amb.models.onednn.reference;

/**
 * An array [examples, channels, height, width] of {@link Ball}s; a vector has height 1, width 1.
 */
final class Values {
  final int examples;
  final int channels;
  final int height;
  final int width;
  final double[] value;
  final double[] variance;

  Values(int examples, int channels, int height, int width) {
    this.examples = examples;
    this.channels = channels;
    this.height = height;
    this.width = width;
    value = new double[examples * channels * height * width];
    variance = new double[value.length];
  }

  /** An array of the same shape, filled with zeros. */
  Values like() {
    return new Values(examples, channels, height, width);
  }

  /** An array of this shape, filled with sums. */
  Values with(Sums sums) {
    Values result = like();
    for (int i = 0; i < sums.size(); i++) {
      result.set(i, sums.get(i));
    }
    return result;
  }

  Ball get(int i) {
    return new Ball(value[i], variance[i]);
  }

  void set(int i, Ball ball) {
    value[i] = ball.value();
    variance[i] = ball.variance();
  }

  /** Number of entries. */
  int size() {
    return value.length;
  }

  /** Entries of one example. */
  int perExample() {
    return channels * height * width;
  }

  int index(int example, int channel, int y, int x) {
    return ((example * channels + channel) * height + y) * width + x;
  }

  /** The channel of an entry. */
  int channel(int i) {
    return i / (height * width) % channels;
  }
}
