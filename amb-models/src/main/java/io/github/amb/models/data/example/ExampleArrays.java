package io.github.amb.models.data.example;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Checks and packs the features and labels of a user's file.
 *
 * <p>Features of pixels are integers from 0 to 255, one of which is above 1. They are stored as
 * bytes and divided by 255 on reading. All others are used unchanged. Training and test examples
 * are either all pixels or all others.
 */
public final class ExampleArrays {
  private ExampleArrays() {}

  /**
   * Packs all examples of a data set, as pixels if they are.
   *
   * @param source the file, for messages
   * @param features example by example
   * @throws UsageException if a feature is not finite
   */
  public static StoredExamples pack(String source, float[] features, Labels labels) {
    return arePixels(features)
        ? pixels(bytes(features), labels)
        : numbers(source, features, labels);
  }

  /**
   * Packs features that are used unchanged.
   *
   * @param source the file, for messages
   * @param features example by example
   * @throws UsageException if a feature is not finite
   */
  public static StoredExamples numbers(String source, float[] features, Labels labels) {
    int size = features.length / labels.count();
    for (int i = 0; i < features.length; i++) {
      if (!Float.isFinite(features[i])) {
        throw new UsageException(
            "%s: example %d, feature %d: expected a finite number, found %s",
            source, i / size, i % size, features[i]);
      }
    }
    return new FloatExamples(FloatBuffer.wrap(features), labels);
  }

  /**
   * Packs pixels.
   *
   * @param pixels unsigned, example by example
   */
  public static StoredExamples pixels(byte[] pixels, Labels labels) {
    return new ByteExamples(0, labels, ByteBuffer.wrap(pixels));
  }

  /** Whether a feature may be that of a pixel: an integer from 0 to 255. */
  public static boolean isByte(float feature) {
    return feature >= 0 && feature <= 255 && feature == (int) feature;
  }

  /**
   * Labels that are classes.
   *
   * @param source the file, for messages
   * @throws UsageException if one is out of range
   */
  public static Labels checked(String source, long[] labels, int classes) {
    int[] checked = new int[labels.length];
    for (int i = 0; i < labels.length; i++) {
      if (labels[i] < 0 || labels[i] >= classes) {
        throw new UsageException(
            "%s: example %d: expected a label from 0 to %d, found %d",
            source, i, classes - 1, labels[i]);
      }
      checked[i] = (int) labels[i];
    }
    return Labels.of(checked);
  }

  private static boolean arePixels(float[] features) {
    boolean above = false;
    for (float feature : features) {
      if (!isByte(feature)) {
        return false;
      }
      above |= feature > 1;
    }
    return above;
  }

  private static byte[] bytes(float[] features) {
    byte[] bytes = new byte[features.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (int) features[i];
    }
    return bytes;
  }

  /**
   * Number of classes of labels that count from 0.
   *
   * @param source the file, for messages
   * @throws UsageException if there is only one, or too many
   */
  public static int classes(String source, long[] labels) {
    long classes = Arrays.stream(labels).max().orElse(-1) + 1;
    if (classes < 2 || classes > DataLimits.CLASSES) {
      throw new UsageException(
          "%s: expected labels from 0 of 2 to %d classes, found labels up to %d",
          source, DataLimits.CLASSES, classes - 1);
    }
    return (int) classes;
  }

  /** Shape of examples of {@code size} features: a square image if possible, otherwise a vector. */
  public static ImageShape shape(int size) {
    int side = (int) Math.round(Math.sqrt(size));
    if (side * side == size) {
      return new ImageShape(1, side, side);
    }
    int side3 = (int) Math.round(Math.sqrt(size / 3.0));
    return 3 * side3 * side3 == size ? new ImageShape(3, side3, side3) : new ImageShape(1, 1, size);
  }

  /**
   * Indices of the training or test examples: every tenth example, from the first on, is for
   * testing.
   */
  public static int[] part(int count, boolean test) {
    return IntStream.range(0, count).filter(i -> (i % 10 == 0) == test).toArray();
  }
}
