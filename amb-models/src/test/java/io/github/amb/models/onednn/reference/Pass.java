package io.github.amb.models.onednn.reference;

/** One batch on its way through a network, and the gradient sum that it adds to. */
final class Pass {
  final Values parameters;
  final Sums gradient;
  final boolean training;
  private final double factorVariance;
  private final Reference.Masks masks;
  private boolean clear = true;
  private int pattern;
  private int partition = -1;

  /**
   * @param parameters the flat vector
   * @param factorVariance the square of the unit of rounding of what is multiplied; 0 for floats
   * @param masks of dropout
   */
  Pass(
      Values parameters,
      Sums gradient,
      boolean training,
      double factorVariance,
      Reference.Masks masks) {
    this.parameters = parameters;
    this.factorVariance = factorVariance;
    this.gradient = gradient;
    this.training = training;
    this.masks = masks;
  }

  /** A number, rounded before it is multiplied. */
  Ball factor(Ball number) {
    double square = number.value() * number.value();
    return new Ball(number.value(), number.variance() + factorVariance * square);
  }

  /** The same for each of an array. */
  Values factors(Values values) {
    Values rounded = values.like();
    for (int i = 0; i < values.size(); i++) {
      rounded.set(i, factor(values.get(i)));
    }
    return rounded;
  }

  void beginPartition() {
    partition++;
  }

  float[] mask(int length, double keep) {
    return masks.draw(partition, length, keep);
  }

  /**
   * Notes on which side of a kink a number lies, or which of two is the larger: floats see the same
   * if the distance is more than its error. What is 0 exactly, as what a ReLU has cut off, is 0 in
   * floats, too, and has no gradient on either side.
   *
   * @param distance from the kink, or between the two
   * @param variance of its error
   * @return whether it is positive
   */
  boolean isPositive(double distance, double variance) {
    double margin = new Ball(distance, variance).error();
    clear &= Math.abs(distance) > margin || distance == 0 && variance == 0;
    boolean positive = distance > 0;
    note(positive ? 1 : 0);
    return positive;
  }

  /** Notes a choice. */
  void note(int choice) {
    pattern = 31 * pattern + choice;
  }

  /** Whether floats saw the same side of each kink. */
  boolean isClear() {
    return clear;
  }

  /** Equal for two passes through the same pieces of a piecewise smooth function, most likely. */
  int pattern() {
    return pattern;
  }
}
