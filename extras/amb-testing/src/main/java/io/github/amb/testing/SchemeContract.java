package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a scheme promises: it trains, is bit-reproducible in virtual time, resumes, and survives the
 * failure of a worker. The test of a scheme extends this class and names the scheme.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SchemeContract {
  private static final String DELAYED = " --induce cedar";

  /** No delay is likely to be 0 or that of another batch: they are of 0.3 s, in nanoseconds. */
  private static final String UNEQUALLY_DELAYED = " --induce 0,.3,1";

  private static final int WORKERS = 3;
  private static final int WHOLE = 9;
  private static final int[] KILLED_AFTER = {1, 8};

  /**
   * Schemes with their options, as a user types them, such as {@code k-sync --num-aggregate 2}.
   * They get 3 workers and a batch size of 16.
   */
  protected abstract List<String> schemes();

  /** Whether it cannot continue with two workers of three, but must be resumed with all. */
  protected boolean needsAllWorkers(String scheme) {
    return false;
  }

  /** The update rule of its runs: {@code usual}, unless the scheme needs another one. */
  protected String rule(String scheme, String usual) {
    return usual;
  }

  /** How many examples an update counts, of those in the results that it has gathered. */
  protected long countedExamples(String scheme, long gathered) {
    return gathered;
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void itTrains(String scheme, @TempDir Path directory) throws IOException {
    VirtualRun run =
        VirtualRun.train(
            directory.resolve("run"), scheme, rule(scheme, "sgd"), "--last-step 40" + DELAYED);

    List<StepRecord> steps = run.steps();
    assertEquals(numbers(40), steps.stream().map(StepRecord::step).toList());
    double first = loss(steps.subList(0, 5));
    double last = loss(steps.subList(35, 40));
    assertTrue(last < first / 2, () -> "expected a loss below half of " + first + ", was " + last);
    List<CollectRecord> gathered = run.collections();
    long examples = 0;
    for (int i = 0; i < steps.size(); i++) {
      StepRecord step = steps.get(i);
      long expected = countedExamples(scheme, gathered.get(i).totalSamples());
      assertEquals(expected, step.numSamples(), "examples of step " + step.step());
      examples += expected;
      assertEquals(examples, step.totalSamples(), "examples after step " + step.step());
    }
  }

  private static double loss(List<StepRecord> steps) {
    return steps.stream().mapToDouble(StepRecord::loss).average().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void itIsReproducibleInVirtualTime(String scheme, @TempDir Path directory) throws IOException {
    String options = "--last-step 12" + DELAYED;
    VirtualRun one = VirtualRun.train(directory.resolve("1"), scheme, rule(scheme, "adm"), options);
    VirtualRun two = VirtualRun.train(directory.resolve("2"), scheme, rule(scheme, "adm"), options);

    assertEquals(one.log(), two.log());
    assertEquals(one.parameters(), two.parameters());
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void itResumes(String scheme, @TempDir Path directory) throws IOException {
    String saving = UNEQUALLY_DELAYED + " --checkpoint-every 1 --checkpoint-keep 99 --last-step ";
    VirtualRun whole =
        VirtualRun.train(directory.resolve("whole"), scheme, rule(scheme, "adm"), saving + WHOLE);
    VirtualRun part =
        VirtualRun.train(
            directory.resolve("part"), scheme, rule(scheme, "adm"), saving + (WHOLE - 1));

    for (int step : KILLED_AFTER) {
      VirtualRun resumed = part.resumed(directory.resolve("after-" + step), step, WHOLE);
      assertEquals(numbers(WHOLE), resumed.steps().stream().map(StepRecord::step).toList());
      assertNoDelayIsRepeated(resumed);
      assertEquals(whole.parameters(), resumed.parameters(), "killed after step " + step);
    }
  }

  /** The number of a batch names its random numbers, so that no two may have the same number. */
  private static void assertNoDelayIsRepeated(VirtualRun run) throws IOException {
    for (int worker = 1; worker <= WORKERS; worker++) {
      List<Double> delays = run.results(worker).stream().map(WorkerRecord::sleepTime).toList();
      assertEquals(delays.stream().distinct().toList(), delays, "delays of worker " + worker);
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void itSurvivesTheFailureOfAWorker(String scheme, @TempDir Path directory) throws IOException {
    String killed = "--last-step 12 --dead-after 0.5 --inject kill:rank=2,step=3";
    VirtualRun one = afterFailure(directory.resolve("1"), scheme, killed);
    VirtualRun two = afterFailure(directory.resolve("2"), scheme, killed);

    assertEquals(numbers(12), one.steps().stream().map(StepRecord::step).toList());
    assertEquals(one.log(), two.log());
    assertRecordsAreThoseOfUpdates(scheme, one);
  }

  /** Results that were gathered before the failure, and made again after it, are drops. */
  private void assertRecordsAreThoseOfUpdates(String scheme, VirtualRun run) throws IOException {
    for (StepRecord step : run.steps()) {
      long used = 0;
      for (int worker = 1; worker <= WORKERS; worker++) {
        used +=
            run.results(worker).stream()
                .filter(result -> result.masterStep() == step.step())
                .mapToLong(WorkerRecord::numSamples)
                .sum();
      }
      assertEquals(countedExamples(scheme, used), step.numSamples(), "step " + step.step());
    }
    for (MembershipRecord change : run.generations()) {
      long dropped =
          run.drops().stream()
              .filter(drop -> drop.step() == change.step())
              .mapToLong(DropRecord::numSamples)
              .sum();
      assertTrue(dropped >= change.discarded(), dropped + " of " + change.discarded());
    }
  }

  private VirtualRun afterFailure(Path path, String scheme, String killed) throws IOException {
    if (needsAllWorkers(scheme)) {
      VirtualRun run = VirtualRun.interrupted(path, scheme, rule(scheme, "adm"), killed);
      run.resume(12);
      return run;
    }
    VirtualRun run = VirtualRun.train(path, scheme, rule(scheme, "adm"), killed);
    assertEquals(1, run.generations().size());
    assertEquals(List.of(1, 3), run.generations().get(0).workers());
    return run;
  }

  private static List<Long> numbers(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
