package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** DiLoCo's successors against DiLoCo, and against numbers by hand. */
class DiLoCoTest {
  private static final int BATCH = 10;

  private static TrainingRun.Plan plan(String scheme, int workers) {
    return TrainingRun.plan(SchemeSamples.make(scheme, BATCH, workers), workers)
        .rule("sgd", 0.05, 0)
        .steps(6);
  }

  private static float[] trained(String scheme, int workers) {
    return plan(scheme, workers).run().parameters;
  }

  @Test
  void withOneWorkerAndAnIntervalOfOneAsyncDiLoCoIsDiLoCo() {
    String options = " local-steps=3 outer-momentum=0.9";
    String async = "async-diloco local-steps-by=none" + options;
    assertArrayEquals(trained("diloco" + options, 1), trained(async + " momentum-interval=1", 1));
    assertFalse(
        Arrays.equals(trained("diloco" + options, 1), trained(async + " momentum-interval=2", 1)));
  }

  /**
   * Steps take 10, 20 and 40 ms, H = 8. The first change of each is of one step; then 8, 4 and 2
   * steps take 80 ms each.
   */
  @Test
  void localStepsAreInProportionToSpeed() {
    TrainingRun run = plan("async-diloco local-steps=8", 3).speeds(1, 0.5, 0.25).steps(9).run();
    assertEquals(BATCH, run.worker(1).get(0).numSamples());
    assertEquals(BATCH, run.worker(3).get(0).numSamples());
    assertEquals(8 * BATCH, run.worker(1).get(1).numSamples());
    assertEquals(4 * BATCH, run.worker(2).get(1).numSamples());
    assertEquals(2 * BATCH, run.worker(3).get(1).numSamples());
    run.accountedExamples();
  }

  @Test
  void withoutDynamicLocalStepsAllDoTheSame() {
    TrainingRun run =
        plan("async-diloco local-steps=8 local-steps-by=none", 2).speeds(1, 0.5).run();
    run.workers().forEach(record -> assertEquals(8 * BATCH, record.numSamples()));
  }
}
