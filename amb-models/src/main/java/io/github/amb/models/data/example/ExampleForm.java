package io.github.amb.models.data.example;

/**
 * The form of the examples for which a network is built.
 *
 * @param dataSet what the user calls the data set
 * @param shape shape of one example
 * @param classes number of classes, or of the labels or numbers that are to be predicted
 * @param targets which of these
 */
public record ExampleForm(String dataSet, ImageShape shape, int classes, Targets targets) {
  /** What is to be predicted, in a word for messages. */
  public String predicted() {
    return targets == Targets.CLASS ? "classes" : targets.toString();
  }
}
