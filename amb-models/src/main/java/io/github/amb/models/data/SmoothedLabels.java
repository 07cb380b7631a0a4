package io.github.amb.models.data;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;

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
public record SmoothedLabels(Examples examples, double smoothing) implements DerivedExamples {
  /**
   * Returns a data set with smoothed training labels, or {@code data} itself if there is nothing to
   * smooth. Test labels stay as they are.
   *
   * @param smoothing ε, from 0 to less than 1
   */
  public static DataSet of(DataSet data, double smoothing) {
    return smoothing == 0
        ? data
        : data.with(data.shape(), new SmoothedLabels(data.train(), smoothing), data.test());
  }
}
