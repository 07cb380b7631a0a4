package io.github.amb.bench.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In steady state a step allocates its records and the state of its random streams, no more. */
@Timeout(120)
class AllocationTest {
  private static final int MAX_BYTES = 2048;
  private static final int SMALL = 1_000;
  private static final int LARGE = 1_000_000;
  private static final int WARM_UP = 60;
  private static final int STEPS = 60;

  /** Medians, as a JIT compiler may change what one step allocates. */
  private record Bytes(double master, double worker) {}

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "amb"})
  void aStepAllocatesLittleWhateverTheNumberOfParameters(String scheme) {
    Bytes small = perStep(scheme, SMALL);
    Bytes large = perStep(scheme, LARGE);
    assertTrue(small.master() <= MAX_BYTES, () -> "master: " + small);
    assertTrue(small.worker() <= MAX_BYTES, () -> "worker: " + small);
    assertEquals(small.master(), large.master(), MAX_BYTES / 4.0, "master: grows with parameters");
    assertEquals(small.worker(), large.worker(), MAX_BYTES / 4.0, "worker: grows with parameters");
  }

  private static Bytes perStep(String scheme, int parameters) {
    AllocationRun run = new AllocationRun(parameters, WARM_UP + STEPS);
    run.run(scheme, record -> {}, record -> {});
    return new Bytes(
        run.masterSteps().perStep(WARM_UP).median(), run.workerSteps().perStep(WARM_UP).median());
  }
}
