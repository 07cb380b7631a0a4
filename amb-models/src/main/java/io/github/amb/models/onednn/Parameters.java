package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Primitives;
import io.github.amb.models.onednn.primitive.Scratchpad;
import io.github.amb.models.onednn.primitive.Step;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * A network's flat parameter vector in native memory, with copies of its parts in the formats that
 * operations prefer. A copy is updated on its first use after new parameters.
 */
final class Parameters implements AutoCloseable {
  private final Arena arena = new Arena();
  private final Primitives primitives;
  private final List<Packed> packed = new ArrayList<>();
  private final FlatVector vector;
  private long version;

  /**
   * @param size number of parameters
   */
  Parameters(int size, Scratchpad scratchpad) {
    primitives = new Primitives(scratchpad);
    vector = new FlatVector(size);
  }

  /** Copies a vector, from index 0 on. */
  void load(FloatBuffer source) {
    vector.moveHome();
    vector.ownBuffer.put(0, source, 0, vector.size);
    version++;
  }

  /** Uses a vector in place, from index 0 on, if it is in native memory; copies it otherwise. */
  void use(FloatBuffer source) {
    if (vector.fits(source)) {
      vector.moveTo(source);
      version++;
    } else {
      load(source);
    }
  }

  /** Copies entries from {@code offset} on, as many as {@code target} has room for. */
  void copy(int offset, float[] target) {
    vector.get(offset, target);
  }

  /** A view of a part of the vector whose first entry is at {@code offset}. */
  Tensor view(int offset, dnnl_memory_desc format) {
    return vector.view(offset, format);
  }

  /**
   * A copy of a part of the vector. The same object for the same part and format.
   *
   * @param offset index of its first entry in the vector
   * @param flat format of the part in the vector
   * @param wanted format of the copy
   */
  Packed packed(int offset, dnnl_memory_desc flat, dnnl_memory_desc wanted) {
    for (Packed copy : packed) {
      if (copy.offset == offset && Formats.equal(copy.tensor.format(), wanted)) {
        return copy;
      }
    }
    Packed copy = new Packed(offset, view(offset, flat), wanted);
    packed.add(copy);
    return copy;
  }

  /** A copy of a part; running it updates it. */
  final class Packed implements Step {
    private final int offset;
    final Tensor tensor;
    private final Operation pack;
    private long copied = -1;

    private Packed(int offset, Tensor source, dnnl_memory_desc format) {
      this.offset = offset;
      tensor = new Tensor(format, arena.allocate(Tensor.bytes(format)));
      pack = primitives.reorder(source, tensor);
    }

    @Override
    public void run() {
      if (copied != version) {
        pack.run();
        copied = version;
      }
    }
  }

  @Override
  public void close() {
    primitives.close();
    packed.forEach(copy -> copy.tensor.close());
    vector.close();
    arena.close();
  }
}
