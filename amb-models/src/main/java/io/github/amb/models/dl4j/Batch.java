package io.github.amb.models.dl4j;

import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.Examples;
import io.github.amb.models.data.ImageShape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.INDArrayIndex;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Native memory for the features and labels of a slice of examples, reused by every slice.
 *
 * <p>It has room for the largest slice seen; a smaller one uses its beginning.
 */
final class Batch implements AutoCloseable {
  private final ImageShape shape;
  private final int classes;
  private final boolean flat;
  private final float[] features;
  private final float[] oneHot;
  private final Map<Integer, Slice> slices = new HashMap<>();
  private INDArray inputs;
  private INDArray targets;
  private int capacity;

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
    this.features = new float[shape.size()];
    this.oneHot = new float[classes];
  }

  /**
   * Copies examples {@code indices[from]} to {@code indices[to − 1]} to native memory.
   *
   * @return the arrays, valid until the next call
   */
  Slice fill(Examples examples, int[] indices, int from, int to) {
    int count = to - from;
    if (count > capacity) {
      reserve(count);
    }
    FloatPointer input = NativeArrays.pointer(inputs);
    FloatPointer labels = NativeArrays.pointer(targets);
    for (int i = from; i < to; i++) {
      long row = i - from;
      examples.copyFeatures(indices[i], features);
      input.position(row * features.length).put(features, 0, features.length);
      Arrays.fill(oneHot, 0f);
      oneHot[examples.label(indices[i])] = 1f;
      labels.position(row * classes).put(oneHot, 0, classes);
    }
    return slices.computeIfAbsent(count, this::slice);
  }

  private void reserve(int count) {
    close();
    inputs =
        flat
            ? Nd4j.createUninitialized(DataType.FLOAT, count, shape.size())
            : Nd4j.createUninitialized(
                DataType.FLOAT, count, shape.channels(), shape.height(), shape.width());
    targets = Nd4j.createUninitialized(DataType.FLOAT, count, classes);
    capacity = count;
  }

  private Slice slice(int count) {
    return new Slice(head(inputs, count), head(targets, count));
  }

  /** View of the first {@code count} entries along the first dimension. */
  private static INDArray head(INDArray array, int count) {
    INDArrayIndex[] all = new INDArrayIndex[array.rank()];
    Arrays.fill(all, NDArrayIndex.all());
    all[0] = NDArrayIndex.interval(0, count);
    return array.get(all);
  }

  @Override
  public void close() {
    slices.clear();
    if (inputs != null) {
      inputs.close();
      targets.close();
    }
  }
}
