package io.github.amb.models.data;

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
  /** What a network is built for. */
  public ExampleForm form() {
    return new ExampleForm(name, shape, classes);
  }
}
