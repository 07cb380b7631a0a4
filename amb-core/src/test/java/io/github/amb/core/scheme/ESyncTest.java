package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.WorkerRecord;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ESyncTest {
  private static SchemeOptions options() {
    return new SchemeOptions(10, 2);
  }

  private static Scheme esync(SchemeOptions options) {
    return Schemes.named("esync").create(options);
  }

  private static TrainingRun.Plan plan(SchemeOptions options, double... speeds) {
    return TrainingRun.plan(esync(options), speeds.length).speeds(speeds).rule("sgd", 0.05, 0);
  }

  /** Rounds of all but the first, in which the state server does not know the times yet. */
  private static void assertRounds(TrainingRun run, int rank, double iterations) {
    List<WorkerRecord> records = run.worker(rank);
    for (WorkerRecord record : records.subList(1, records.size())) {
      assertEquals(10 * iterations, record.numSamples(), record.toString());
    }
  }

  /** ⌊(c_s − ε c_r) / c_r⌋ iterations for a fast worker, one for the slowest. */
  @Property(tries = 40)
  void localIterationsFollowTheClosedForm(
      @ForAll @DoubleRange(min = 0.02, max = 1) double speed,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double epsilon) {
    double ratio = 1 / speed - epsilon;
    Assume.that(Math.abs(ratio - Math.rint(ratio)) > 1e-4);
    TrainingRun run = plan(options().with(ESync.EPSILON, epsilon), 1, speed).steps(4).run();
    assertRounds(run, 1, Math.max(1, Math.floor(ratio)));
    assertRounds(run, 2, 1);
    run.accountedExamples();
  }

  @Test
  void fastWorkersComputeForMoreThanNineTenthsOfTheTime() {
    double slow = 1 / 117.0;
    TrainingRun run = plan(options(), 1, 1, 1, 1, slow, slow).steps(6).run();
    double from = run.steps().get(0).time();
    double all = run.steps().get(5).time() - from;
    double computed = run.worker(1).stream().skip(1).mapToDouble(WorkerRecord::computeTime).sum();
    assertRounds(run, 1, 116);
    assertTrue(computed > 0.9 * all, computed + " of " + all);
  }

  @Test
  void theSeedsEpsilonMakesShortIterationsSynchronous() {
    SchemeOptions seed = options().with(ESync.EPSILON, 0.0).with(ESync.EPSILON_SECONDS, 0.5);
    TrainingRun run = plan(seed, 1, 0.1).steps(5).run();
    assertRounds(run, 1, 1);
  }

  @Test
  void equalWorkersDoOneIterationEach() {
    TrainingRun run = plan(options(), 1, 1, 1).steps(20).run();
    Scheme scheme = Schemes.named("fmb").create(new SchemeOptions(10, 3));
    TrainingRun fmb = TrainingRun.plan(scheme, 3).rule("sgd", 0.05, 0).steps(20).run();
    // In the first round the first two workers are asked for more, as the third is not known yet.
    assertEquals(fmb.steps().get(19).time() + 0.01, run.steps().get(19).time(), 1e-9);
    assertRounds(run, 1, 1);
  }

  @Test
  void computeTimesAreSmoothed() {
    StateServer server = new StateServer(2, 0, 0, 0.5);
    assertEquals(1, ask(server, 1, 1.0, 0));
    assertEquals(0, ask(server, 2, 5.5, 0));
    server.begin(0);
    assertEquals(0, ask(server, 2, 7.5, 7.5));
    server.begin(0);
    // c_1 = 1 + (2 − 1) / 2, c_2 = 6.5: 5 s are left after the first 1.5 s.
    assertEquals(3, ask(server, 1, 2.0, 1.5));
  }

  private static int ask(StateServer server, int rank, double computeTime, double now) {
    Frame query = new Frame().reset(Frame.Kind.QUERY, 0);
    query.source(rank);
    query.stat(StateServer.COMPUTE_TIME, computeTime);
    return (int) server.answer(query, Math.round(now * 1e9)).stat(StateServer.ITERATIONS);
  }

  /** τ = 3 and 1, so τ_eff = 2: Δ = 2 (½ Δ₁/3 + ½ Δ₂/1); running statistics are averaged. */
  @Test
  void weightingByStepsIsFedNova() {
    Layout layout =
        new Layout(
            List.of(
                new Block("w", Block.Kind.WEIGHT, 0, 1),
                new Block("mean", Block.Kind.RUNNING_STATISTIC, 1, 1)));
    Gathering gathering = new Gathering(2);
    gathering.take(delta(1, 3, 9, 4));
    gathering.take(delta(2, 1, 5, 6));
    gathering.close();
    assertEquals(2, Weighting.STEPS.scale(gathering, layout));
    assertArrayEquals(new float[] {2 * 9 / 3f, 4}, gathering.sums()[0], 1e-6f);
    assertArrayEquals(new float[] {2 * 5f, 6}, gathering.sums()[1], 1e-6f);
  }

  private static Frame delta(int rank, int steps, float... values) {
    Frame frame = new Frame().reset(Frame.Kind.DELTA, 1);
    frame.source(rank);
    frame.stat(GradientStats.LOCAL_STEPS, steps);
    frame.exchange(values, values.length);
    return frame;
  }

  @Test
  void aTimeLimitIsRefused() {
    SchemeOptions limited = options().with(AnytimeMiniBatch.TIME_LIMIT, 1.0);
    var e = assertThrows(UsageException.class, () -> esync(limited));
    assertTrue(e.getMessage().startsWith("scheme esync: has no use for --amb-time-limit"));
  }
}
