package io.github.amb.models.onednn.primitive;

import io.github.amb.models.onednn.Plan;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Native memory for the arrays of a {@link Plan}. The order of its operations is fixed. So when the
 * plan is built, memory that an earlier operation uses last is reused by later ones.
 *
 * <p>The C library allocates the memory, and {@link #close} frees it, not the garbage collector. So
 * JavaCPP's limit, which follows the heap's, does not apply.
 */
public final class Arena implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final List<Region> all = new ArrayList<>();
  private final List<Region> free = new ArrayList<>();

  /** A contiguous, aligned block of bytes. */
  public static final class Region {
    private final Pointer allocated;
    private final long size;
    private final BytePointer start;

    private Region(long size) {
      this.size = size;
      allocated = Pointer.malloc(size + ALIGNMENT);
      if (allocated == null || allocated.isNull()) {
        throw new OutOfMemoryError("cannot allocate " + size + " bytes of native memory");
      }
      long gap = (ALIGNMENT - allocated.address() % ALIGNMENT) % ALIGNMENT;
      start = new BytePointer(allocated).getPointer(gap);
    }

    /** Address of the first byte. */
    public BytePointer start() {
      return start;
    }
  }

  /**
   * Allocates at least {@code size} bytes: the smallest released region that fits, or a new one.
   */
  public Region allocate(long size) {
    Region best = null;
    for (Region region : free) {
      if (region.size >= size && (best == null || region.size < best.size)) {
        best = region;
      }
    }
    if (best != null && best.size <= 2 * size) {
      free.remove(best);
      return best;
    }
    Region region = new Region(size);
    all.add(region);
    return region;
  }

  /** Makes a region available to operations that are added from now on. */
  public void release(Region region) {
    free.add(region);
  }

  @Override
  public void close() {
    all.forEach(region -> Pointer.free(region.allocated));
    all.clear();
    free.clear();
  }
}
