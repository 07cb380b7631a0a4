package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import java.util.Locale;
import java.util.Optional;

/** Number format of the factors of products and convolutions; sums and parameters are in fp32. */
public enum Precision {
  FP32(dnnl_f32, Float.BYTES),

  /** bfloat16, with the exponents of fp32 and 8 significant bits. */
  BF16(dnnl_bf16, Short.BYTES);

  /** oneDNN's constant for the format. */
  final int type;

  private final int bytes;

  Precision(int type, int bytes) {
    this.type = type;
    this.bytes = bytes;
  }

  /** The one that an option names in lower case. */
  public static Precision named(String option) {
    return valueOf(option.toUpperCase(Locale.ROOT));
  }

  /** Bytes of a number. */
  public int bytes() {
    return bytes;
  }

  /** Why this processor cannot compute in bfloat16; empty if it can. */
  public static Optional<String> bf16Obstacle() {
    return OneDnn.isAvailable()
        ? bf16Obstacle(dnnl_get_effective_cpu_isa())
        : Optional.of("expected a host with oneDNN, found none for it");
  }

  /**
   * @param instructions oneDNN's constant for a set of them, whose bits are those of its subsets
   */
  static Optional<String> bf16Obstacle(int instructions) {
    return (instructions & dnnl_cpu_isa_avx512_core_bf16) == dnnl_cpu_isa_avx512_core_bf16
        ? Optional.empty()
        : Optional.of(
            "expected a processor with AVX512-BF16, found " + OneDnn.instructions(instructions));
  }
}
