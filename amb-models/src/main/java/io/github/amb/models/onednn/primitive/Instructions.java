package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.dnnl_cpu_isa_avx2;
import static org.bytedeco.dnnl.global.dnnl.dnnl_get_effective_cpu_isa;
import static org.bytedeco.dnnl.global.dnnl.dnnl_set_max_cpu_isa;

import io.github.amb.core.option.UsageException;

/** Restricts oneDNN to instructions that all current x86-64 processors have, for equal bits. */
public final class Instructions {
  private Instructions() {}

  /**
   * Restricts this process to AVX2, before its first computation. A second call does nothing.
   *
   * @throws UsageException if this processor lacks AVX2, or the process has computed with other
   *     instructions
   */
  public static synchronized void holdToAvx2() {
    if (!OneDnn.isAvailable()) {
      throw new UsageException("--reproducible: expected a host with oneDNN, found none for it");
    }
    // oneDNN rejects this after its first look at the processor; the result is checked next.
    dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2);
    if (dnnl_get_effective_cpu_isa() != dnnl_cpu_isa_avx2) {
      throw new UsageException(
          "--reproducible: expected a processor with AVX2, and no computation before, found "
              + OneDnn.instructions());
    }
  }
}
