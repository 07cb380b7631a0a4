package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {
  @Test
  void kibibytesBecomeMegabytes() {
    List<String> status = List.of("Name:\tjava", "VmHWM:\t   500000 kB", "VmRSS:\t   1000 kB");
    assertEquals(512, ResidentMemory.megabytes(status, "VmHWM:"));
    assertEquals(1.024, ResidentMemory.megabytes(status, "VmRSS:"), 1e-12);
    assertEquals(0, ResidentMemory.megabytes(status, "VmSwap:"));
  }
}
