package io.github.amb.models.dl4j;

import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.Examples;
import io.github.amb.models.data.ImageShape;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** The features and labels of a slice of examples, where the network computes. */
final class Batch implements AutoCloseable {
  private final ImageShape shape;
  private final int classes;
  private final boolean flat;
  private final float[] example;
  private float[] features = {};
  private float[] oneHot = {};
  private Slice slice;

  /**
   * The arrays of one slice.
   *
   * @param input features, first dimension: examples
   * @param labels one-hot, [examples, classes]
   */
  record Slice(INDArray input, INDArray labels) {}

  /**
   * @param flat true for inputs [n, features], false for [n, channels, height, width]
   */
  Batch(DataSet data, boolean flat) {
    this.shape = data.shape();
    this.classes = data.classes();
    this.flat = flat;
    this.example = new float[shape.size()];
  }

  /**
   * Copies examples {@code indices[from]} to {@code indices[to − 1]}.
   *
   * @param random for examples as training draws them; null for examples as they are
   * @return the arrays, valid until the next call
   */
  Slice fill(Examples examples, UniformRandomProvider random, int[] indices, int from, int to) {
    int count = to - from;
    if (oneHot.length != count * classes) {
      features = new float[count * example.length];
      oneHot = new float[count * classes];
    }
    Arrays.fill(oneHot, 0f);
    for (int i = from; i < to; i++) {
      if (random == null) {
        examples.copyFeatures(indices[i], example);
      } else {
        examples.drawFeatures(indices[i], random, example);
      }
      System.arraycopy(example, 0, features, (i - from) * example.length, example.length);
      oneHot[(i - from) * classes + examples.label(indices[i])] = 1f;
    }
    close();
    slice = new Slice(Nd4j.create(features, inputShape(count), 'c'), labels(count));
    return slice;
  }

  private long[] inputShape(int count) {
    return flat
        ? new long[] {count, shape.size()}
        : new long[] {count, shape.channels(), shape.height(), shape.width()};
  }

  private INDArray labels(int count) {
    return Nd4j.create(oneHot, new long[] {count, classes}, 'c');
  }

  @Override
  public void close() {
    if (slice != null) {
      slice.input().close();
      slice.labels().close();
      slice = null;
    }
  }
}
