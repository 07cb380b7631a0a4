package io.github.amb.models.onednn.primitive;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Native memory that is freed together.
 *
 * <p>The C library allocates the memory, and {@link #close} frees it, not the garbage collector. So
 * JavaCPP's limit, which follows the heap's, does not apply.
 */
public final class Arena implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final List<Pointer> allocated = new ArrayList<>();

  /**
   * Allocates at least {@code size} bytes.
   *
   * @return address of the first byte, aligned to a cache line
   * @throws OutOfMemoryError if the system does not provide that much
   */
  public BytePointer allocate(long size) {
    Pointer block = Pointer.malloc(size + ALIGNMENT);
    if (block == null || block.isNull()) {
      throw new OutOfMemoryError("cannot allocate " + size + " bytes of native memory");
    }
    allocated.add(block);
    long gap = (ALIGNMENT - block.address() % ALIGNMENT) % ALIGNMENT;
    return new BytePointer(block).getPointer(gap);
  }

  @Override
  public void close() {
    allocated.forEach(Pointer::free);
    allocated.clear();
  }
}
