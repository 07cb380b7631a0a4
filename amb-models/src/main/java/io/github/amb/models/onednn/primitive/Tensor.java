package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import java.nio.FloatBuffer;
import org.bytedeco.dnnl.dnnl_memory;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/** An array in native memory, as an argument of operations. */
public final class Tensor implements AutoCloseable {
  private final dnnl_memory_desc format;
  private final dnnl_memory memory = new dnnl_memory();
  private FloatPointer data;

  /**
   * An array without memory, until it is moved.
   *
   * @param format copied
   */
  public Tensor(dnnl_memory_desc format) {
    this(format, new FloatPointer());
  }

  /**
   * @param format copied
   * @param start address of as many bytes as the format needs; not freed by this object
   */
  public Tensor(dnnl_memory_desc format, Pointer start) {
    this.format = Formats.copy(format);
    data = new FloatPointer(start);
    OneDnn.check(
        dnnl_memory_create(memory, this.format, OneDnn.ENGINE, start), "describe an array");
  }

  /**
   * Moves the array to other memory, from entry {@code offset} on. The entries are those found
   * there.
   */
  public void moveTo(FloatPointer memory, long offset) {
    data = memory.getPointer(offset);
    OneDnn.check(dnnl_memory_set_data_handle(this.memory, data), "move an array");
  }

  public static long bytes(dnnl_memory_desc format) {
    return dnnl_memory_desc_get_size(format);
  }

  public dnnl_memory_desc format() {
    return format;
  }

  dnnl_memory memory() {
    return memory;
  }

  /** Address of its first entry. */
  public FloatPointer data() {
    return data;
  }

  /** Sets all entries to 0. */
  public void clear() {
    Pointer.memset(data, 0, bytes(format));
  }

  /** Its entries, as long as it does not move. */
  public FloatBuffer buffer() {
    return new FloatPointer(data).capacity(bytes(format) / Float.BYTES).asBuffer();
  }

  @Override
  public void close() {
    dnnl_memory_destroy(memory);
    dnnl_memory_desc_destroy(format);
  }
}
