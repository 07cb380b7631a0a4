package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_a;
import static org.bytedeco.dnnl.global.dnnl.dnnl_ab;
import static org.bytedeco.dnnl.global.dnnl.dnnl_abc;
import static org.bytedeco.dnnl.global.dnnl.dnnl_abcd;
import static org.bytedeco.dnnl.global.dnnl.dnnl_ba;
import static org.bytedeco.dnnl.global.dnnl.dnnl_f32;
import static org.bytedeco.dnnl.global.dnnl.dnnl_format_tag_any;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_equal;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_init_by_strides;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_init_by_tag;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_init_submemory;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;

import java.util.Optional;
import org.bytedeco.dnnl.dnnl_memory_desc_t;

/** Descriptions of how arrays of floats lie in memory. */
final class Formats {
  private static final int[] ROW_MAJOR = {0, dnnl_a, dnnl_ab, dnnl_abc, dnnl_abcd};

  private Formats() {}

  /** Row-major without gaps. */
  static dnnl_memory_desc_t rowMajor(long... dimensions) {
    return of(ROW_MAJOR[dimensions.length], dimensions);
  }

  /** A matrix in column-major order without gaps. */
  static dnnl_memory_desc_t columnMajor(long rows, long columns) {
    return of(dnnl_ba, rows, columns);
  }

  /** As the operation that is made with it likes best. */
  static dnnl_memory_desc_t any(long... dimensions) {
    return of(dnnl_format_tag_any, dimensions);
  }

  private static dnnl_memory_desc_t of(int tag, long... dimensions) {
    var format = new dnnl_memory_desc_t();
    int status = dnnl_memory_desc_init_by_tag(format, dimensions.length, dimensions, dnnl_f32, tag);
    OneDnn.check(status, "describe an array");
    return format;
  }

  /**
   * With a stride for each dimension.
   *
   * @param strides entries between neighbors along each dimension
   */
  static dnnl_memory_desc_t strided(long[] dimensions, long[] strides) {
    var format = new dnnl_memory_desc_t();
    int status =
        dnnl_memory_desc_init_by_strides(format, dimensions.length, dimensions, dnnl_f32, strides);
    OneDnn.check(status, "describe an array");
    return format;
  }

  /**
   * A rectangular part of an array.
   *
   * @param start place of its first entry
   * @return empty if blocks of the array would have to be cut
   */
  static Optional<dnnl_memory_desc_t> part(
      dnnl_memory_desc_t whole, long[] dimensions, long[] start) {
    var format = new dnnl_memory_desc_t();
    int status = dnnl_memory_desc_init_submemory(format, whole, dimensions, start);
    return status == dnnl_success ? Optional.of(format) : Optional.empty();
  }

  static boolean equal(dnnl_memory_desc_t a, dnnl_memory_desc_t b) {
    return dnnl_memory_desc_equal(a, b) != 0;
  }
}
