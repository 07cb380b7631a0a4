package io.github.amb.api;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.ArrayDataSet;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import java.util.Arrays;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * Labeled examples in memory. Features are used as they are: scale them first.
 *
 * @see Training.Builder#data(TrainingData, TrainingData)
 */
public final class TrainingData {
  private final float[] features;
  private final int[] labels;
  private final int[] shape;

  private TrainingData(float[] features, int[] labels, int[] shape) {
    this.features = features;
    this.labels = labels;
    this.shape = shape;
  }

  /**
   * Examples in arrays, which must not change until training has ended.
   *
   * @param features all features, example by example; not copied
   * @param labels a class for each example, from 0 to at most 255; not copied
   * @param shape of one example: its features; or height and width; or channels, height and width
   */
  public static TrainingData of(float[] features, int[] labels, int... shape) {
    return new TrainingData(features, labels, shape.clone());
  }

  /**
   * All examples of an iterator, copied to arrays.
   *
   * @param examples features [n, features] or [n, channels, height, width], labels [n, classes]
   *     with a 1 at the class; read from its present place to its end
   * @throws IllegalArgumentException if it has no examples, or they differ in shape
   */
  public static TrainingData of(DataSetIterator examples) {
    float[] features = {};
    int[] labels = {};
    int[] shape = null;
    while (examples.hasNext()) {
      var batch = examples.next();
      int[] found = shape(batch.getFeatures());
      if (shape != null && !Arrays.equals(shape, found)) {
        throw new IllegalArgumentException(
            "expected examples of shape %s, found %s"
                .formatted(Arrays.toString(shape), Arrays.toString(found)));
      }
      shape = found;
      float[] more = batch.getFeatures().dup('c').data().asFloat();
      int before = features.length;
      features = Arrays.copyOf(features, before + more.length);
      System.arraycopy(more, 0, features, before, more.length);
      int[] classes = batch.getLabels().argMax(1).toIntVector();
      int known = labels.length;
      labels = Arrays.copyOf(labels, known + classes.length);
      System.arraycopy(classes, 0, labels, known, classes.length);
    }
    if (shape == null) {
      throw new IllegalArgumentException("expected examples, found none");
    }
    return new TrainingData(features, labels, shape);
  }

  private static int[] shape(INDArray features) {
    long[] sizes = features.shape();
    return Arrays.stream(sizes, 1, sizes.length).mapToInt(Math::toIntExact).toArray();
  }

  /**
   * The data set of the given parts.
   *
   * @param test null for every tenth example of {@code train}
   * @throws UsageException with all problems
   */
  static DataSet set(TrainingData train, TrainingData test) {
    ImageShape shape = train.shape();
    if (test != null && !test.shape().equals(shape)) {
      throw new UsageException(
          "data: expected test examples of %s, as those for training, found %s",
          shape, test.shape());
    }
    return ArrayDataSet.of(shape, train.part(), test == null ? null : test.part());
  }

  private ImageShape shape() {
    boolean positive = Arrays.stream(shape).allMatch(size -> size > 0);
    if (!positive || shape.length < 1 || shape.length > 3) {
      throw new UsageException(
          "data: expected a shape of 1 to 3 positive numbers, found " + Arrays.toString(shape));
    }
    int[] sizes = {1, 1, 1};
    System.arraycopy(shape, 0, sizes, 3 - shape.length, shape.length);
    return new ImageShape(sizes[0], sizes[1], sizes[2]);
  }

  private ArrayDataSet.Part part() {
    return new ArrayDataSet.Part(features, labels);
  }
}
