package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which instructions compute in bfloat16. */
class PrecisionTest {
  @ParameterizedTest
  @ValueSource(
      ints = {
        dnnl_cpu_isa_avx512_core_bf16,
        dnnl_cpu_isa_avx512_core_fp16,
        dnnl_cpu_isa_avx512_core_amx,
        dnnl_cpu_isa_avx512_core_amx_fp16,
        dnnl_cpu_isa_avx10_2,
        dnnl_cpu_isa_avx10_2_amx_2
      })
  void newerInstructionsHaveBfloat16(int instructions) {
    assertEquals(Optional.empty(), Precision.bf16Obstacle(instructions));
  }

  /** AVX2-VNNI-2 converts bfloat16, but does not multiply it. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        dnnl_cpu_isa_sse41,
        dnnl_cpu_isa_avx2,
        dnnl_cpu_isa_avx2_vnni_2,
        dnnl_cpu_isa_avx512_core,
        dnnl_cpu_isa_avx512_core_vnni
      })
  void olderInstructionsAreNamed(int instructions) {
    String found = Precision.bf16Obstacle(instructions).orElseThrow();
    assertTrue(found.endsWith("found " + OneDnn.instructions(instructions)), found);
  }

  @Test
  void precisionsHaveTheirOptionsNames() {
    assertEquals(Precision.BF16, Precision.named("bf16"));
    assertEquals(Precision.FP32, Precision.named("fp32"));
  }
}
