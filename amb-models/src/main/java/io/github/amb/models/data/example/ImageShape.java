package io.github.amb.models.data.example;

import io.github.amb.core.option.Decimal;
import java.util.stream.Stream;

/**
 * Shape of one example, channels first.
 *
 * @param channels number of planes
 * @param height rows
 * @param width columns
 */
public record ImageShape(int channels, int height, int width) {
  /**
   * Parses a shape that {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if the text is not a shape
   */
  public static ImageShape parse(String text) {
    if (!text.matches("\\d{1,9}x\\d{1,9}x\\d{1,9}")) {
      throw new IllegalArgumentException(
          "expected channels x height x width, such as 1x28x28, found '" + text + "'");
    }
    int[] sizes = Stream.of(text.split("x")).mapToInt(Decimal::integer).toArray();
    return new ImageShape(sizes[0], sizes[1], sizes[2]);
  }

  /** Number of features of one example. */
  public int size() {
    return channels * height * width;
  }

  /** {@code channels x height x width}, such as {@code 1x28x28}. */
  @Override
  public String toString() {
    return channels + "x" + height + "x" + width;
  }
}
