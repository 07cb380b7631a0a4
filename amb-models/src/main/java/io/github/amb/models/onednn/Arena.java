package io.github.amb.models.onednn;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Native memory for the arrays of a {@link Plan}. As the order of its operations is fixed, memory
 * that an earlier operation needed last is given to a later one when the plan is built.
 *
 * <p>The memory is the C library's, freed by {@link #close} and not by the garbage collector, so
 * that JavaCPP's limit, which follows the heap's, does not apply.
 */
final class Arena implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final List<Region> all = new ArrayList<>();
  private final List<Region> free = new ArrayList<>();

  /** Contiguous bytes, the first of which is aligned. */
  static final class Region {
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
    BytePointer start() {
      return start;
    }
  }

  /** At least so many bytes: the smallest that fits of those released, otherwise new ones. */
  Region allocate(long size) {
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

  /** Lets operations that are added from now on use a region. */
  void release(Region region) {
    free.add(region);
  }

  @Override
  public void close() {
    all.forEach(region -> Pointer.free(region.allocated));
    all.clear();
    free.clear();
  }
}
