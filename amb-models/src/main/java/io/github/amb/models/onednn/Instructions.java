package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_cpu_isa_avx2;
import static org.bytedeco.dnnl.global.dnnl.dnnl_get_effective_cpu_isa;
import static org.bytedeco.dnnl.global.dnnl.dnnl_set_max_cpu_isa;

import io.github.amb.core.command.UsageException;

/** Holds oneDNN to instructions that all of today's x86-64 processors have, for equal bits. */
public final class Instructions {
  private Instructions() {}

  /**
   * Holds this process to AVX2, from its first computation on. A second call does nothing.
   *
   * @throws UsageException if this processor has no AVX2, or the process has computed with others
   *     already
   */
  public static synchronized void holdToAvx2() {
    if (!OneDnn.isAvailable()) {
      throw new UsageException("--reproducible: expected a host with oneDNN, found none for it");
    }
    // Refused once oneDNN has looked at the processor; what it uses is asked next.
    dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2);
    if (dnnl_get_effective_cpu_isa() != dnnl_cpu_isa_avx2) {
      throw new UsageException(
          "--reproducible: expected a processor with AVX2, and no computation before, found "
              + OneDnn.instructions());
    }
  }
}
