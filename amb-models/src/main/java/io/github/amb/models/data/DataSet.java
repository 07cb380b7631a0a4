package io.github.amb.models.data;

import java.util.ArrayList;
import java.util.List;

/**
 * A data set for classification, in memory.
 *
 * @param name what the user calls it
 * @param shape shape of one example
 * @param classes number of classes; labels are 0 to this − 1
 * @param train training examples
 * @param test test examples
 */
public record DataSet(String name, ImageShape shape, int classes, Examples train, Examples test) {
  /** Fewer test examples than these say little. */
  private static final int FEW = 20;

  /**
   * What is odd about the number of examples, a line each.
   *
   * @param batch examples of all workers in one step
   */
  public List<String> remarks(int batch) {
    List<String> remarks = new ArrayList<>();
    if (train.count() < batch) {
      remarks.add(
          "data set %s has %s training examples, fewer than the batch size of %s"
              .formatted(name, train.count(), batch));
    }
    if (test.count() < FEW) {
      remarks.add(
          "data set %s has %s test examples, too few for a measured accuracy to say much"
              .formatted(name, test.count()));
    }
    return remarks;
  }

  /** What a network is built for. */
  public ExampleForm form() {
    return new ExampleForm(name, shape, classes);
  }
}
