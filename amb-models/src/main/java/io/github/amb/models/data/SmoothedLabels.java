package io.github.amb.models.data;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * Examples whose labels are smoothed in training: the class of an example has the probability 1 − ε
 * + ε / K and each other one of the K classes ε / K.
 *
 * <p>C. Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", CVPR 2016,
 * section 7, as {@code label_smoothing} of PyTorch's {@code CrossEntropyLoss}.
 *
 * @param examples the examples
 * @param smoothing ε, from 0 to less than 1
 */
public record SmoothedLabels(Examples examples, double smoothing) implements Examples {
  /**
   * Returns a data set with smoothed training labels, or {@code data} itself if there is nothing to
   * smooth. Test labels stay as they are.
   *
   * @param smoothing ε, from 0 to less than 1
   */
  public static DataSet of(DataSet data, double smoothing) {
    return smoothing == 0
        ? data
        : new DataSet(
            data.name(),
            data.shape(),
            data.classes(),
            new SmoothedLabels(data.train(), smoothing),
            data.test());
  }

  @Override
  public int count() {
    return examples.count();
  }

  @Override
  public int label(int example) {
    return examples.label(example);
  }

  @Override
  public float target(int example) {
    return examples.target(example);
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    examples.copyFeatures(example, target);
  }

  @Override
  public void drawFeatures(int example, UniformRandomProvider random, float[] target) {
    examples.drawFeatures(example, random, target);
  }
}
