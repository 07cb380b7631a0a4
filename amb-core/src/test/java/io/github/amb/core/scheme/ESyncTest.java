package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.sim.CostModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ESyncTest {
  /** Virtual times are whole nanoseconds: that of a few hundred roundings. */
  private static final double NANOSECONDS = 5e-7;

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
    // 116 of the 117 iterations that the slow ones' takes, each in whole nanoseconds.
    assertEquals(116 / 117.0 * all, computed, 5 * 117 * 1e-9);
    assertTrue(computed > 0.9 * all, computed + " of " + all);
  }

  @Test
  void theirEpsilonMakesShortIterationsSynchronous() {
    SchemeOptions seed = options().with(ESync.EPSILON, 0.0).with(ESync.EPSILON_SECONDS, 0.5);
    TrainingRun run = plan(seed, 1, 0.1).steps(5).run();
    assertRounds(run, 1, 1);
  }

  @Test
  void equalWorkersDoOneIterationEach() {
    CostModel far = new CostModel(0.001, 0, 0, 0, 0, 0, 0.5, Double.POSITIVE_INFINITY);
    TrainingRun run = plan(options(), 1, 1, 1).costs(far).steps(20).run();
    Scheme scheme = Schemes.named("fmb").create(new SchemeOptions(10, 3));
    TrainingRun fmb = TrainingRun.plan(scheme, 3).costs(far).rule("sgd", 0.05, 0).steps(20).run();
    assertEquals(fmb.steps().get(19).time(), run.steps().get(19).time(), NANOSECONDS);
    assertRounds(run, 1, 1);
  }

  /** A round trip of a second, a slow iteration of 10 s and fast ones of 100 ms. */
  @Test
  void latencyCostsNoIteration() {
    CostModel far = new CostModel(0.01, 0, 0, 0, 0, 0, 0.5, Double.POSITIVE_INFINITY);
    TrainingRun run = plan(options(), 1, 0.01).costs(far).steps(5).run();
    assertRounds(run, 1, 99);
    assertEquals(5 * 11, run.steps().get(4).time(), NANOSECONDS);
  }

  /**
   * Worker 2 takes a second, from the 4th round on a tenth of it: it pushes early, and worker 1 is
   * told while it iterates. With slices of 1 ms it gives up at once what it has begun.
   */
  @Test
  void othersPushWhenTheSlowestHasPushed() {
    int[] rounds = {0};
    DelayModel slowAtFirst = random -> rounds[0]++ < 3 ? 0.99 : 0.09;
    SchemeOptions sliced = options().with(ESync.PARTITIONS, 10).with(ESync.SMOOTHING, 0.001);
    TrainingRun run =
        plan(sliced, 0.285, 1)
            .delaysByRank(rank -> rank == 2 ? slowAtFirst : DelayModel.NONE)
            .steps(4)
            .run();
    // Iterations of 35.09 ms: 28 in a second; in a tenth 2, and 9 slices of one that is given up.
    assertEquals(280, run.worker(1).get(2).numSamples());
    assertEquals(20, run.worker(1).get(3).numSamples());
    assertEquals(0.029 / 0.285, run.steps().get(3).time() - run.steps().get(2).time(), NANOSECONDS);
    run.accountedExamples();
  }

  /** What the state server tells workers, with the times at which it is told things. */
  private static final class Told implements Communicator, Clock {
    private final int ranks;
    private final List<String> sent = new ArrayList<>();
    private double now;

    Told(int ranks) {
      this.ranks = ranks;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      assertEquals(Message.Kind.ASSIGNMENT, message.kind());
      sent.add(to + ":" + message.asIterations().count());
    }

    List<String> take() {
      List<String> all = List.copyOf(sent);
      sent.clear();
      return all;
    }

    @Override
    public long now() {
      return Math.round(now * 1e9);
    }

    @Override
    public int size() {
      return ranks;
    }

    @Override
    public int rank() {
      return MASTER;
    }

    @Override
    public void sleep(long nanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void charge(Work work, long amount) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void broadcast(Message message, long deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long bytesSent() {
      return 0;
    }

    @Override
    public long bytesReceived() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private final Told told = new Told(3);
  private final StateServer server = new StateServer(told, told, new StateServer.Margin(0, 0), 0.5);

  private void report(int rank, int done, double seconds, double now) {
    told.now = now;
    Message report = new Message().reset(Message.Kind.QUERY, 1);
    report.source(rank);
    report.asIterations().set(done, seconds);
    server.reported(report);
  }

  private void push(int rank, double now) {
    told.now = now;
    server.pushed(rank);
  }

  private void begin(long step) {
    told.now = 0;
    server.begin(step, false);
  }

  @Test
  void theFirstRoundIsOneIterationAndTimesAreSmoothed() {
    begin(1);
    assertEquals(List.of("1:1", "2:1"), told.take());
    report(1, 1, 1, 1);
    push(1, 1);
    report(2, 1, 5.5, 5.5);
    push(2, 5.5);
    begin(2);
    assertEquals(List.of("1:5", "2:1"), told.take());
    // c_1 = 1 + (2 − 1) / 2: 3.5 s are left of 5.5 s, and two iterations fit.
    report(1, 1, 2, 2);
    assertEquals(List.of("1:3"), told.take());
    // As foreseen, nothing is said.
    report(1, 2, 1.5, 3.5);
    assertEquals(List.of(), told.take());
  }

  @Test
  void aRoundTripIsPartOfTheSlowestsTime() {
    begin(1);
    report(1, 1, 1, 1.25);
    report(2, 1, 4, 5);
    begin(2);
    told.take();
    // 4 + 1 s are left but for the own 0.25 s; c_1 = 1.
    begin(3);
    assertEquals(List.of("1:4", "2:1"), told.take());
    report(1, 1, 1, 1.25);
    assertEquals(List.of(), told.take());
  }

  @Test
  void whenTheSlowestHasPushedTheOthersAreToldAtOnce() {
    begin(1);
    report(1, 1, 1, 1);
    report(2, 1, 10, 10);
    begin(2);
    told.take();
    report(1, 1, 1, 1);
    report(1, 2, 1, 2);
    assertEquals(List.of(), told.take());
    push(2, 2.5);
    assertEquals(List.of("1:2"), told.take());
  }

  /**
   * τ = 3 and 1, so τ_eff = 2: Δ = 2 (½ Δ₁/3 + ½ Δ₂/1); running statistics are averaged. The third
   * has been dropped.
   */
  @Test
  void weightingByStepsIsFedNova() {
    Layout layout =
        new Layout(
            List.of(
                new Block("w", Block.Kind.WEIGHT, 0, 1),
                new Block("mean", Block.Kind.RUNNING_STATISTIC, 1, 1)));
    Gathering gathering = new Gathering(3);
    gathering.take(delta(1, 3, 9, 4));
    gathering.take(delta(2, 1, 5, 6));
    Message dropped = delta(3, 8, 0, 0);
    dropped.examples(0);
    gathering.take(dropped);
    gathering.close();
    ESync.perStep(gathering, layout);
    assertEquals(3, gathering.contributors());
    assertEquals(2, gathering.withExamples());
    assertArrayEquals(
        new float[] {2 * 9 / 3f, 4}, gathering.result(0).message().values(), 4 * Math.ulp(6f));
    assertArrayEquals(
        new float[] {2 * 5f, 6}, gathering.result(1).message().values(), 4 * Math.ulp(10f));
  }

  @Test
  void weightingMattersWhereNumbersOfStepsDiffer() {
    SchemeOptions steps = options().with(ESync.WEIGHTING, "steps");
    assertArrayEquals(
        plan(options(), 1, 1).steps(5).run().parameters,
        plan(steps, 1, 1).steps(5).run().parameters);
    assertFalse(
        Arrays.equals(
            plan(options(), 1, 0.1).steps(5).run().parameters,
            plan(steps, 1, 0.1).steps(5).run().parameters));
  }

  @Test
  void moreSlicesThanExamplesAreRejected() {
    var e = assertThrows(UsageException.class, () -> esync(options().with(ESync.PARTITIONS, 11)));
    assertTrue(
        e.getMessage().contains("--esync-partitions: expected 1 to 10 (the batch size), found 11"),
        e.getMessage());
  }

  private static Message delta(int rank, int steps, float... values) {
    Message message = new Message().reset(Message.Kind.DELTA, 1);
    message.source(rank);
    message.examples(1);
    message.asResult().localSteps(steps);
    message.exchange(values, values.length);
    return message;
  }

  @Test
  void aTimeLimitIsRejected() {
    SchemeOptions limited = options().with(AnytimeOptions.TIME_LIMIT, 1.0);
    var e = assertThrows(UsageException.class, () -> esync(limited));
    assertTrue(e.getMessage().startsWith("scheme esync: has no use for --amb-time-limit"));
  }
}
