package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.javacpp.FloatPointer;

/**
 * A flat vector in its own or in foreign native memory, with views of its parts. The views follow
 * it when it moves.
 */
final class FlatVector implements AutoCloseable {
  /** Maximum number of memory locations whose addresses are kept; engines alternate among fewer. */
  private static final int PLACES = 4;

  final int size;

  /** Its own memory, whether or not the vector is there now. */
  final FloatBuffer ownBuffer;

  private final Arena arena = new Arena();
  private final FloatPointer own;
  private final List<View> views = new ArrayList<>();
  private final FloatBuffer[] buffers = new FloatBuffer[PLACES];
  private final FloatPointer[] pointers = new FloatPointer[PLACES];
  private int next;
  private FloatPointer place;

  private record View(int offset, Tensor tensor) {}

  /**
   * @param size number of entries
   */
  FlatVector(int size) {
    this.size = size;
    own = new FloatPointer(arena.allocate((long) size * Float.BYTES));
    own.capacity(size).limit(size);
    ownBuffer = own.asBuffer();
    place = own;
  }

  /** Whether the vector can be moved to {@code memory}, from index 0 on. */
  boolean fits(FloatBuffer memory) {
    return memory.isDirect()
        && memory.order() == ByteOrder.nativeOrder()
        && memory.capacity() >= size;
  }

  /** Moves the vector to its own memory; the entries are those left there. */
  void moveHome() {
    moveTo(own);
  }

  /**
   * Moves the vector to {@code memory}, which must {@linkplain #fits fit}; the entries are those
   * found there.
   */
  void moveTo(FloatBuffer memory) {
    for (int i = 0; i < PLACES; i++) {
      if (buffers[i] == memory) {
        moveTo(pointers[i]);
        return;
      }
    }
    buffers[next] = memory;
    pointers[next] = new FloatPointer(memory).position(0);
    moveTo(pointers[next]);
    next = (next + 1) % PLACES;
  }

  private void moveTo(FloatPointer target) {
    if (target != place) {
      place = target;
      for (int i = 0; i < views.size(); i++) {
        View view = views.get(i);
        view.tensor.moveTo(target, view.offset);
      }
    }
  }

  /** Copies entries from {@code offset} on, as many as {@code target} has room for. */
  void get(int offset, float[] target) {
    place.getPointer(offset).get(target, 0, target.length);
  }

  /**
   * A view of a part whose first entry is at {@code offset}. The same object for the same offset
   * and format.
   */
  Tensor view(int offset, dnnl_memory_desc format) {
    for (View view : views) {
      if (view.offset == offset && Formats.equal(view.tensor.format(), format)) {
        return view.tensor;
      }
    }
    Tensor tensor = new Tensor(format, place.getPointer(offset));
    views.add(new View(offset, tensor));
    return tensor;
  }

  @Override
  public void close() {
    views.forEach(view -> view.tensor.close());
    arena.close();
  }
}
