package io.github.amb.models.data;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import java.util.List;
import java.util.stream.Stream;

/**
 * Examples whose labels are smoothed or weighted in training. The loss of an example is multiplied
 * by the weight of its class; of several labels or numbers, each has its own weight. Smoothed: the
 * class of an example has the probability 1 − ε + ε / K and each other one of the K classes ε / K.
 *
 * <p>C. Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", CVPR 2016,
 * section 7, as {@code label_smoothing} of PyTorch's {@code CrossEntropyLoss}.
 *
 * @param examples the examples
 * @param smoothing ε, from 0 to less than 1
 * @param weights of the classes, labels or numbers; empty for 1
 */
public record SmoothedLabels(Examples examples, double smoothing, List<Double> weights)
    implements DerivedExamples {
  /**
   * Returns a data set with smoothed or weighted training labels, or {@code data} itself if there
   * is nothing to change. Test labels stay as they are.
   *
   * @param smoothing ε, from 0 to less than 1
   * @param weights a text that {@link #areWeights} accepts; null for none
   * @throws UsageException if there are not as many weights as the data need
   */
  public static DataSet of(DataSet data, double smoothing, String weights) {
    if (smoothing == 0 && weights == null) {
      return data;
    }
    List<Double> each = weights == null ? List.of() : weights(data, weights);
    return data.with(data.shape(), new SmoothedLabels(data.train(), smoothing, each), data.test());
  }

  /** Whether a text has positive numbers, separated by commas. */
  public static boolean areWeights(String text) {
    return Stream.of(text.split(",", -1))
        .allMatch(w -> Decimal.any(w, 0) > 0 && Decimal.any(w, 0) < Float.MAX_VALUE);
  }

  private static List<Double> weights(DataSet data, String text) {
    List<Double> given = Stream.of(text.split(",")).map(Decimal::real).toList();
    if (given.size() != data.classes()) {
      throw new UsageException(
          "--class-weights: expected a number for each of %d %s of data set %s, found %d",
          data.classes(), data.predicted(), data.name(), given.size());
    }
    return given;
  }

  @Override
  public double weight(int label) {
    return weights.isEmpty() ? 1 : weights.get(label);
  }
}
