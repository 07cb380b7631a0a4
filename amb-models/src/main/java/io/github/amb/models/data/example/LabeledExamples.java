package io.github.amb.models.data.example;

/** Examples whose labels are in memory. */
public abstract class LabeledExamples implements Examples {
  /** Their labels. */
  protected final Labels labels;

  /**
   * @param labels of all examples
   */
  protected LabeledExamples(Labels labels) {
    this.labels = labels;
  }

  /**
   * The number of features of each example.
   *
   * @param what features are called in the message
   * @param features number of all features
   * @param labels number of labels
   * @throws IllegalArgumentException if it is not a multiple of the number of labels
   */
  protected static int share(String what, int features, int labels) {
    if (labels == 0 || features % labels != 0) {
      throw new IllegalArgumentException(
          "expected the same number of %s for each of %d labels, found %d %s"
              .formatted(what, labels, features, what));
    }
    return features / labels;
  }

  @Override
  public final int count() {
    return labels.count();
  }

  @Override
  public final int label(int example) {
    return labels.classes()[example];
  }

  @Override
  public final Targets targets() {
    return labels.targets();
  }

  @Override
  public final float target(int example, int index) {
    return labels.number(example, index);
  }
}
