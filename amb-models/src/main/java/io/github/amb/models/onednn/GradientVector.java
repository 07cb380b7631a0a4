package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Primitives;
import io.github.amb.models.onednn.primitive.Scratchpad;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * The flat gradient vector of a network in native memory. Its parts are summed over slices of the
 * batch in the formats in which operations produce them, and copied into the vector at the end.
 */
final class GradientVector implements AutoCloseable {
  final Arena arena = new Arena();
  final Primitives primitives;
  private final Map<Integer, Part> parts = new LinkedHashMap<>(); // All by their offset.
  private final Map<Integer, PendingRows> pending = new LinkedHashMap<>();
  private final Map<Integer, float[]> statistics = new LinkedHashMap<>();
  private final List<Tensor> tensors = new ArrayList<>();
  final FlatVector vector;

  /** Of factors of products and convolutions; the gradient is in fp32. */
  final Precision precision;

  private FloatBuffer place;

  /**
   * @param size number of parameters
   */
  GradientVector(int size, Precision precision, Scratchpad scratchpad) {
    primitives = new Primitives(scratchpad);
    this.precision = precision;
    vector = new FlatVector(size);
  }

  /**
   * Starts a new sum.
   *
   * @param target the buffer that {@link #finish} will receive, so that the sum can be formed there
   *     if it is native memory; null if unknown
   */
  void begin(FloatBuffer target) {
    place = target != null && vector.fits(target) && coversAll() ? target : null;
    if (place == null) {
      vector.moveHome();
    } else {
      vector.moveTo(place);
    }
    parts.values().forEach(part -> part.empty = true);
    pending.values().forEach(PendingRows::clear);
    statistics.values().forEach(sum -> Arrays.fill(sum, 0f));
  }

  /** Whether a sum writes every entry; false during the first one. */
  private boolean coversAll() {
    int covered = 0;
    for (Part part : parts.values()) {
      covered += part.count;
    }
    for (PendingRows rows : pending.values()) {
      covered += rows.count();
    }
    for (float[] sum : statistics.values()) {
      covered += sum.length;
    }
    return covered == vector.size;
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
    return parts.computeIfAbsent(offset, at -> new Part(at, flat, preferred));
  }

  /**
   * The rows whose products are the gradient of a dense layer. The same object for the same layer.
   */
  PendingRows rows(int weights, int bias, int in, int out) {
    return pending.computeIfAbsent(weights, at -> new PendingRows(this, at, bias, in, out));
  }

  /**
   * The sum of the updates of {@code count} running statistics at an offset. The same array for the
   * same offset.
   */
  float[] statistic(int offset, int count) {
    return statistics.computeIfAbsent(offset, at -> new float[count]);
  }

  /**
   * Performs the deferred products and copies the sum.
   *
   * @param target receives the vector from index 0 on; zeros where nothing was added
   */
  void finish(FloatBuffer target) {
    pending.values().forEach(PendingRows::flush);
    parts.values().forEach(Part::unpack);
    if (target != place) {
      target.put(0, place == null ? vector.ownBuffer : place, 0, vector.size);
    }
    statistics.forEach(target::put);
  }

  /** Copies zeros, the sum over no examples. */
  void finishEmpty(FloatBuffer target) {
    for (int i = 0; i < vector.size; i++) {
      target.put(i, 0f);
    }
  }

  /** The sum of a part. */
  final class Part {
    private final int count;
    private final Operation unpack;

    /** The array of the sum; after writing to it, it is no longer empty. */
    final Tensor sum;

    /** Whether nothing was added since the sum began. */
    boolean empty = true;

    private Part(int offset, dnnl_memory_desc flat, dnnl_memory_desc format) {
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

    /** Whether the sum has memory of its own, where operations write fastest. */
    boolean isAligned() {
      return unpack != null;
    }

    /** The sum so far, to add to. */
    FloatBuffer added() {
      if (empty) {
        sum.clear();
      }
      empty = false;
      return sum.buffer();
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
    pending.values().forEach(PendingRows::close);
    tensors.forEach(Tensor::close);
    vector.close();
    arena.close();
  }
}
