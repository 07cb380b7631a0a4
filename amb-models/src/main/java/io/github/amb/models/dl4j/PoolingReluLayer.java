package io.github.amb.models.dl4j;

import java.util.Arrays;
import org.bytedeco.javacpp.IntPointer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.convolution.subsampling.SubsamplingLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Computes what {@link PoolingRelu} configures, example by example.
 *
 * <p>Floats are handled as their bits: as signed integers, positive floats compare as they should
 * and negative ones are below zero, which is all that this layer asks, and integers are compared
 * without branches, which would be mispredicted half of the time.
 */
final class PoolingReluLayer extends SubsamplingLayer {
  private static final long serialVersionUID = 1L;

  /** What is noted for a result that is cut off at zero. */
  private static final byte NONE = 4;

  private transient int[] large = {};
  private transient int[] small = {};

  /** For each result which of its four inputs it is, or NONE. */
  private transient byte[] winners = {};

  private int height;
  private int width;

  PoolingReluLayer(NeuralNetConfiguration conf, DataType type) {
    super(conf, type);
  }

  private void prepare() {
    height = (int) input.size(2);
    width = (int) input.size(3);
    int planes = (int) input.size(1);
    int results = planes * rows() * columns();
    if (small.length != results) {
      large = new int[planes * height * width];
      small = new int[results];
    }
    if (winners.length < input.size(0) * results) {
      winners = new byte[(int) input.size(0) * results];
    }
  }

  private int rows() {
    return (height + 1) / 2;
  }

  private int columns() {
    return (width + 1) / 2;
  }

  @Override
  public INDArray activate(boolean training, LayerWorkspaceMgr workspaces) {
    assertInputSet(false);
    prepare();
    long[] shape = {input.size(0), input.size(1), rows(), columns()};
    INDArray result = workspaces.createUninitialized(ArrayType.ACTIVATIONS, dataType, shape, 'c');
    IntPointer in = new IntPointer(NativeArrays.pointer(NativeArrays.rowMajor(input)));
    IntPointer out = new IntPointer(NativeArrays.pointer(result));
    for (int i = 0; i < shape[0]; i++) {
      in.position((long) i * large.length).get(large, 0, large.length);
      pool(i * small.length);
      out.position((long) i * small.length).put(small, 0, small.length);
    }
    return result;
  }

  /** Fills {@code small} from {@code large}. */
  private void pool(int firstWinner) {
    int planes = large.length / (height * width);
    int target = 0;
    for (int plane = 0; plane < planes; plane++) {
      for (int y = 0; y < height; y += 2) {
        int upper = (plane * height + y) * width;
        int lower = y + 1 < height ? upper + width : upper;
        poolRow(upper, lower, target, firstWinner + target);
        target += columns();
      }
    }
  }

  /** At an odd edge a pixel meets itself, which changes no maximum. */
  private void poolRow(int upper, int lower, int target, int note) {
    for (int x = 0; x < width; x += 2) {
      int right = Math.min(x + 1, width - 1);
      int max = 0;
      int winner = NONE;
      int value = large[upper + x];
      winner = value > max ? 0 : winner;
      max = Math.max(max, value);
      value = large[upper + right];
      winner = value > max ? 1 : winner;
      max = Math.max(max, value);
      value = large[lower + x];
      winner = value > max ? 2 : winner;
      max = Math.max(max, value);
      value = large[lower + right];
      winner = value > max ? 3 : winner;
      small[target + x / 2] = Math.max(max, value);
      winners[note + x / 2] = (byte) winner;
    }
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    INDArray result =
        workspaces.createUninitialized(ArrayType.ACTIVATION_GRAD, dataType, input.shape(), 'c');
    IntPointer in = new IntPointer(NativeArrays.pointer(NativeArrays.rowMajor(epsilon)));
    IntPointer out = new IntPointer(NativeArrays.pointer(result));
    for (int i = 0; i < input.size(0); i++) {
      in.position((long) i * small.length).get(small, 0, small.length);
      unpool(i * small.length);
      out.position((long) i * large.length).put(large, 0, large.length);
    }
    return new Pair<>(new DefaultGradient(), result);
  }

  /**
   * Fills {@code large} from {@code small}; a result that was cut off puts a zero in its corner.
   */
  private void unpool(int firstWinner) {
    Arrays.fill(large, 0);
    int[] offsets = {0, 1, width, width + 1, 0};
    int[] masks = {-1, -1, -1, -1, 0};
    int planes = large.length / (height * width);
    int source = 0;
    for (int plane = 0; plane < planes; plane++) {
      for (int y = 0; y < height; y += 2) {
        int corner = (plane * height + y) * width;
        for (int x = 0; x < width; x += 2) {
          int winner = winners[firstWinner + source];
          large[corner + x + offsets[winner]] = small[source] & masks[winner];
          source++;
        }
      }
    }
  }
}
