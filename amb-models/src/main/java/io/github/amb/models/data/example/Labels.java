package io.github.amb.models.data.example;

import java.util.stream.IntStream;

/**
 * What is to be predicted for each of many examples.
 *
 * @param targets what that is
 * @param classes one class per example, from 0; of other targets 0; not copied
 * @param numbers as many for each example, example by example; empty if the classes are the
 *     numbers; not copied
 */
public record Labels(Targets targets, int[] classes, float[] numbers) {
  /**
   * One class per example, unsigned.
   *
   * @param classes not modified
   */
  public static Labels of(byte[] classes) {
    return of(IntStream.range(0, classes.length).map(i -> classes[i] & 0xff).toArray());
  }

  /**
   * One class per example, from 0.
   *
   * @param classes not copied
   */
  public static Labels of(int[] classes) {
    return new Labels(Targets.CLASS, classes, new float[0]);
  }

  /**
   * Numbers, or 1 or 0 for each of several labels.
   *
   * @param numbers as many for each example, example by example; not copied
   * @param count number of examples
   */
  public static Labels of(Targets targets, float[] numbers, int count) {
    return new Labels(targets, new int[count], numbers);
  }

  /** Number of examples. */
  public int count() {
    return classes.length;
  }

  /** Number of classes, up to the largest that an example has, or of numbers of an example. */
  public int outputs() {
    return targets == Targets.CLASS ? IntStream.of(classes).max().orElse(-1) + 1 : width();
  }

  /** Numbers of an example; 0 if its class is its number. */
  int width() {
    return numbers.length / Math.max(1, classes.length);
  }

  /** Number {@code index} of an example: its class, unless there are others. */
  float number(int example, int index) {
    return numbers.length == 0 ? classes[example] : numbers[example * width() + index];
  }

  /** Those of some examples, in the order given. */
  Labels select(int[] examples) {
    int width = width();
    float[] some = new float[examples.length * width];
    for (int i = 0; i < examples.length; i++) {
      System.arraycopy(numbers, examples[i] * width, some, i * width, width);
    }
    return new Labels(targets, IntStream.of(examples).map(i -> classes[i]).toArray(), some);
  }
}
