package io.github.amb.models.data.example;

import io.github.amb.core.gradient.Evaluation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A data set in memory.
 *
 * @param name what the user calls it
 * @param shape shape of one example
 * @param classes number of classes, whose labels are 0 to this − 1; or of the labels or numbers
 *     that are to be predicted
 * @param train training examples
 * @param test test examples
 * @param classNames the user's texts for them; empty if they have none
 * @param note what a reader left out, converted or guessed, one line; empty for nothing
 * @param text its vocabulary; null for data that are no text
 */
public record DataSet(
    String name,
    ImageShape shape,
    int classes,
    Examples train,
    Examples test,
    List<String> classNames,
    String note,
    Text text) {
  /** Minimum number of test examples for a meaningful accuracy. */
  private static final int FEW = 20;

  /** Number of classes that one warning names. */
  private static final int LISTED = 10;

  public DataSet {
    classNames = List.copyOf(classNames);
  }

  /** A data set without names of classes, of which nothing was left out or converted. */
  public DataSet(String name, ImageShape shape, int classes, Examples train, Examples test) {
    this(name, shape, classes, train, test, List.of(), "", null);
  }

  /** These classes with other examples, made from these ones. */
  public DataSet with(ImageShape shape, Examples train, Examples test) {
    return new DataSet(name, shape, classes, train, test, classNames, note, text);
  }

  /**
   * The note, and warnings about the numbers of examples, one per line.
   *
   * @param batch number of examples of one worker in one step
   */
  public List<String> remarks(int batch) {
    List<String> remarks = new ArrayList<>();
    if (!note.isEmpty()) {
      remarks.add("data set %s: %s".formatted(name, note));
    }
    if (text == null && targets() == Targets.CLASS) {
      addMissing("training", train, remarks);
      addMissing("test", test, remarks);
    }
    if (train.count() < batch) {
      remarks.add(
          "data set %s has %s training examples, fewer than the batch size of %s"
              .formatted(name, train.count(), batch));
    }
    if ((long) test.count() * test.positions() < FEW) {
      remarks.add(
          "data set %s has %s test examples, too few for a measured accuracy to say much"
              .formatted(name, test.count()));
    }
    return remarks;
  }

  private void addMissing(String part, Examples examples, List<String> remarks) {
    BitSet found = new BitSet();
    for (int i = 0; i < examples.count(); i++) {
      found.set(examples.label(i));
    }
    List<Integer> missing =
        IntStream.range(0, classes).filter(label -> !found.get(label)).boxed().toList();
    if (!missing.isEmpty()) {
      boolean many = missing.size() > LISTED;
      remarks.add(
          "data set %s has no %s example of %s of %s classes: %s%s"
              .formatted(
                  name,
                  part,
                  missing.size(),
                  classes,
                  missing.subList(0, many ? LISTED : missing.size()),
                  many ? " and more" : ""));
    }
  }

  /** What is to be predicted. */
  public Targets targets() {
    return train.targets();
  }

  /** What is to be predicted, in a word for messages. */
  public String predicted() {
    return form().predicted();
  }

  /**
   * The scores of a model on test examples, as they are recorded. Texts and numbers are not
   * classified, so they have no accuracy.
   */
  public Evaluation scores(Evaluation found) {
    return text == null && targets() != Targets.NUMBERS
        ? found
        : new Evaluation(found.loss(), Double.NaN, found.examples());
  }

  /**
   * Further numbers of a model by name: of a text, perplexity and bits per character.
   *
   * @param scores on test examples
   */
  public Map<String, Double> metrics(Evaluation scores) {
    return text == null ? Map.of() : text.metrics(scores.loss());
  }

  /** The form of the examples, for which a network is built. */
  public ExampleForm form() {
    return new ExampleForm(name, shape, classes, targets());
  }
}
