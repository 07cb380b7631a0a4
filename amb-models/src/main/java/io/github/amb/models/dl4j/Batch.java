package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import org.apache.commons.rng.UniformRandomProvider;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** The features and labels of a slice of examples, as arrays on the network's device. */
public final class Batch implements AutoCloseable {
  private final ImageShape shape;
  private final boolean flat;
  private final OutputLoss loss;
  private final float[] example;
  private float[] features = {};
  private float[] expected = {};
  private Slice slice;

  /**
   * The arrays of one slice.
   *
   * @param input features; the first dimension is examples
   * @param labels what the outputs should be, [examples, outputs]
   */
  public record Slice(INDArray input, INDArray labels) {}

  /**
   * @param flat true for inputs [n, features], false for [n, channels, height, width]
   * @param loss of the network
   */
  public Batch(DataSet data, boolean flat, OutputLoss loss) {
    this.shape = data.shape();
    this.flat = flat;
    this.loss = loss;
    this.example = new float[shape.size()];
  }

  /**
   * Copies examples {@code indices[from]} to {@code indices[to − 1]}.
   *
   * @param random source of augmentation; null for unchanged examples
   * @param indices not modified
   * @return the arrays, valid until the next call
   */
  public Slice fill(
      Examples examples, UniformRandomProvider random, int[] indices, int from, int to) {
    int count = to - from;
    int outputs = loss.outputs();
    if (expected.length != count * outputs) {
      features = new float[count * example.length];
      expected = new float[count * outputs];
    }
    for (int i = from; i < to; i++) {
      if (random == null) {
        examples.copyFeatures(indices[i], example);
      } else {
        examples.drawFeatures(indices[i], random, example);
      }
      System.arraycopy(example, 0, features, (i - from) * example.length, example.length);
      for (int j = 0; j < outputs; j++) {
        expected[(i - from) * outputs + j] =
            (float) loss.expected(j, examples.label(indices[i]), examples, indices[i]);
      }
    }
    close();
    INDArray labels = Nd4j.create(expected, new long[] {count, outputs}, 'c');
    slice = new Slice(Nd4j.create(features, inputShape(count), 'c'), labels);
    return slice;
  }

  private long[] inputShape(int count) {
    return flat
        ? new long[] {count, shape.size()}
        : new long[] {count, shape.channels(), shape.height(), shape.width()};
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
