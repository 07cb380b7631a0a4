package io.github.amb.models.data.example;

/** Examples whose classes are held as unsigned bytes. */
public abstract class LabeledExamples implements Examples {
  private final byte[] labels;

  /**
   * @param labels one class per example, unsigned; not copied
   */
  protected LabeledExamples(byte[] labels) {
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
    return labels.length;
  }

  @Override
  public final int label(int example) {
    return labels[example] & 0xff;
  }
}
