package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Primitives;
import io.github.amb.models.onednn.primitive.Scratchpad;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * The flat gradient vector of a network in native memory. Its parts are summed over slices of the
 * batch in the formats in which operations produce them, and copied into the vector at the end.
 */
public final class GradientVector implements AutoCloseable {
  private final Arena arena = new Arena();
  private final Primitives primitives;
  private final List<Part> parts = new ArrayList<>();
  private final List<PendingRows> pending = new ArrayList<>();
  private final List<Statistic> statistics = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final FlatVector vector;
  private FloatBuffer place;

  /**
   * @param size number of parameters
   */
  public GradientVector(int size, Scratchpad scratchpad) {
    primitives = new Primitives(scratchpad);
    vector = new FlatVector(size);
  }

  /**
   * Starts a new sum.
   *
   * @param target the buffer that {@link #finish} will receive, so that the sum can be formed there
   *     if it is native memory; null if unknown
   */
  public void begin(FloatBuffer target) {
    place = target != null && vector.fits(target) && coversAll() ? target : null;
    if (place == null) {
      vector.moveHome();
    } else {
      vector.moveTo(place);
    }
    parts.forEach(Part::clear);
    pending.forEach(PendingRows::clear);
    statistics.forEach(statistic -> Arrays.fill(statistic.sum, 0f));
  }

  /** Whether a sum writes every entry; false during the first one. */
  private boolean coversAll() {
    int covered = 0;
    for (Part part : parts) {
      covered += part.count;
    }
    for (PendingRows rows : pending) {
      covered += rows.count();
    }
    for (Statistic statistic : statistics) {
      covered += statistic.sum.length;
    }
    return covered == vector.size();
  }

  /**
   * The place where the gradient of a part of the vector is summed. The same object for the same
   * offset.
   *
   * @param offset index of its first entry in the vector
   * @param flat format of the part in the vector
   * @param preferred format in which it is summed; only the first call's counts
   */
  Part part(int offset, dnnl_memory_desc flat, dnnl_memory_desc preferred) {
    for (Part part : parts) {
      if (part.offset == offset) {
        return part;
      }
    }
    Part part = new Part(offset, flat, preferred);
    parts.add(part);
    return part;
  }

  /**
   * The rows whose products are the gradient of a dense layer. The same object for the same layer.
   */
  public PendingRows rows(int weights, int bias, int in, int out) {
    for (PendingRows rows : pending) {
      if (rows.isAt(weights)) {
        return rows;
      }
    }
    PendingRows rows = new PendingRows(arena, vector, weights, bias, in, out);
    pending.add(rows);
    return rows;
  }

  /** The updates of running statistics at an offset of the vector. */
  private record Statistic(int offset, float[] sum) {}

  /**
   * The sum of the updates of {@code count} running statistics at an offset. The same array for the
   * same offset.
   */
  public float[] statistic(int offset, int count) {
    for (Statistic statistic : statistics) {
      if (statistic.offset == offset) {
        return statistic.sum;
      }
    }
    statistics.add(new Statistic(offset, new float[count]));
    return statistics.get(statistics.size() - 1).sum;
  }

  /**
   * Performs the deferred products and copies the sum.
   *
   * @param target receives the vector from index 0 on; zeros where nothing was added
   */
  public void finish(FloatBuffer target) {
    pending.forEach(PendingRows::flush);
    parts.forEach(Part::unpack);
    if (target != place) {
      target.put(0, place == null ? vector.ownBuffer() : place, 0, vector.size());
    }
    for (Statistic statistic : statistics) {
      target.put(statistic.offset, statistic.sum);
    }
  }

  /** Copies zeros, the sum over no examples. */
  public void finishEmpty(FloatBuffer target) {
    for (int i = 0; i < vector.size(); i++) {
      target.put(i, 0f);
    }
  }

  /** The sum of a part. */
  final class Part {
    private final int offset;
    private final int count;
    private final Tensor sum;
    private final Operation unpack;
    private boolean empty = true;

    private Part(int offset, dnnl_memory_desc flat, dnnl_memory_desc format) {
      this.offset = offset;
      count = (int) (Tensor.bytes(flat) / Float.BYTES);
      Tensor target = vector.view(offset, flat);
      if (Formats.equal(flat, format)) {
        sum = target;
        unpack = null;
      } else {
        sum = new Tensor(format, arena.allocate(Tensor.bytes(format)));
        tensors.add(sum);
        unpack = primitives.reorder(sum, target);
      }
    }

    /** The array of the sum; call {@link #fill} after writing to it. */
    Tensor sum() {
      return sum;
    }

    /** The sum so far, to add to. */
    FloatBuffer added() {
      if (empty) {
        sum.clear();
      }
      fill();
      return sum.buffer();
    }

    /** Whether nothing was added since the sum began. */
    boolean isEmpty() {
      return empty;
    }

    void fill() {
      empty = false;
    }

    private void clear() {
      empty = true;
    }

    private void unpack() {
      if (unpack != null) {
        unpack.run();
      }
    }
  }

  @Override
  public void close() {
    primitives.close();
    tensors.forEach(Tensor::close);
    vector.close();
    arena.close();
  }
}
