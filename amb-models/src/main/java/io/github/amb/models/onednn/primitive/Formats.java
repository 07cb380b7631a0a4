package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import java.util.Optional;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** Descriptions of how arrays of numbers lie in memory. */
public final class Formats {
  private static final int[] ROW_MAJOR = {0, dnnl_a, dnnl_ab, dnnl_abc, dnnl_abcd};

  private Formats() {}

  /** Row-major without gaps. */
  public static dnnl_memory_desc rowMajor(long... dimensions) {
    return rowMajor(Precision.FP32, dimensions);
  }

  /** Row-major without gaps, of numbers of a format. */
  public static dnnl_memory_desc rowMajor(Precision precision, long... dimensions) {
    return of(precision, ROW_MAJOR[dimensions.length], dimensions);
  }

  /** The format that oneDNN chooses for the operation. */
  public static dnnl_memory_desc any(long... dimensions) {
    return any(Precision.FP32, dimensions);
  }

  /** The same for numbers of a format. */
  public static dnnl_memory_desc any(Precision precision, long... dimensions) {
    return of(precision, dnnl_format_tag_any, dimensions);
  }

  private static dnnl_memory_desc of(Precision precision, int tag, long... dimensions) {
    var format = new dnnl_memory_desc();
    int status =
        dnnl_memory_desc_create_with_tag(
            format, dimensions.length, dimensions, precision.type, tag);
    OneDnn.check(status, "describe an array");
    return new Owned(format);
  }

  /**
   * A format with a stride for each dimension.
   *
   * @param strides number of entries between neighbors along each dimension
   */
  public static dnnl_memory_desc strided(long[] dimensions, long[] strides) {
    return strided(Precision.FP32, dimensions, strides);
  }

  /** The same for numbers of a format. */
  public static dnnl_memory_desc strided(Precision precision, long[] dimensions, long[] strides) {
    var format = new dnnl_memory_desc();
    int status =
        dnnl_memory_desc_create_with_strides(
            format, dimensions.length, dimensions, precision.type, strides);
    OneDnn.check(status, "describe an array");
    return new Owned(format);
  }

  /**
   * The format of a rectangular part of an array.
   *
   * @param start index of its first entry in each dimension
   * @return empty if blocks of the array would have to be split
   */
  public static Optional<dnnl_memory_desc> part(
      dnnl_memory_desc whole, long[] dimensions, long[] start) {
    var format = new dnnl_memory_desc();
    int status = dnnl_memory_desc_create_submemory(format, whole, dimensions, start);
    return status == dnnl_success ? Optional.of(new Owned(format)) : Optional.empty();
  }

  /** A copy, which the caller destroys. */
  static dnnl_memory_desc copy(dnnl_memory_desc format) {
    var copy = new dnnl_memory_desc();
    OneDnn.check(dnnl_memory_desc_clone(copy, format), "describe an array");
    return copy;
  }

  /** A description that oneDNN frees when the garbage collector has found no one who uses it. */
  private static final class Owned extends dnnl_memory_desc {
    Owned(dnnl_memory_desc description) {
      super(description);
      deallocator(() -> dnnl_memory_desc_destroy(description));
    }
  }

  public static boolean equal(dnnl_memory_desc a, dnnl_memory_desc b) {
    return dnnl_memory_desc_equal(a, b) != 0;
  }
}
