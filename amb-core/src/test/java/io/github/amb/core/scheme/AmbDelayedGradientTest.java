package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.sim.CostModel;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AmbDelayedGradientTest {
  private static SchemeOptions options(double timeLimit) {
    return new SchemeOptions(100, 2)
        .with(AnytimeOptions.TIME_LIMIT, timeLimit)
        .with(AnytimeOptions.NUM_PARTITIONS, 10);
  }

  /** Partitions are of 10 examples and take 10 ms. */
  private static Scheme kBatch(int results) {
    return Schemes.named("amb-dg")
        .create(options(0.05).with(AmbDelayedGradient.MASTER_BATCH_MIN, results));
  }

  private static Scheme timed(double masterTimeLimit) {
    return Schemes.named("amb-dg")
        .create(
            options(0.05)
                .with(AmbDelayedGradient.MASTER, "time")
                .with(AmbDelayedGradient.MASTER_TIME_LIMIT, masterTimeLimit));
  }

  @Test
  void workersNeverWait() {
    CostModel slowNetwork = new CostModel(0.001, 0, 0, 0, 0, 0, 0.3, Double.POSITIVE_INFINITY);
    TrainingRun run = TrainingRun.plan(kBatch(2), 2).costs(slowNetwork).steps(40).run();
    for (int rank = 1; rank <= 2; rank++) {
      List<WorkerRecord> records = run.worker(rank);
      for (int i = 0; i < records.size(); i++) {
        assertEquals(0.05, records.get(i).computeTime(), 1e-9);
        assertEquals(0.6 + 0.05 * (i + 1), records.get(i).time(), 1e-9);
      }
    }
    assertEquals(40 * 100, run.accountedExamples());
  }

  /**
   * The first epoch is at w₀. Its update is there after the second epoch's first partition, so that
   * the second epoch has one partition at w₀ and four at w₁.
   */
  @Test
  void newerParametersAreTakenBetweenPartitions() {
    CostModel costs = new CostModel(0.001, 0, 0, 0, 0, 0, 0.001, Double.POSITIVE_INFINITY);
    TrainingRun run =
        TrainingRun.plan(kBatch(1), 1).costs(costs).rule("sgd", 0.05, 0).steps(2).run();
    assertEquals(List.of(0L, 1L), run.workers().stream().map(WorkerRecord::staleness).toList());
    GradientSource model = TrainingRun.source();
    ExampleOrder order = new ExampleOrder(new Streams(Seeds.of(1)), model.trainingExamples(), 0, 1);
    int[] batch = new int[100];
    order.peek(batch);
    float[] w0 = new float[model.layout().size()];
    model.initialize(Seeds.of(1), w0);
    float[] w1 = step(w0, gradient(model, w0, batch, 0, 50));
    float[] second = gradient(model, w0, batch, 50, 60);
    float[] rest = gradient(model, w1, batch, 60, 100);
    for (int i = 0; i < rest.length; i++) {
      second[i] += rest[i];
    }
    run.assertParametersAreNearly(step(w1, second), 50, 2);
  }

  private static float[] gradient(GradientSource model, float[] w, int[] batch, int from, int to) {
    float[] gradient = new float[w.length];
    model.begin(w, 0);
    model.accumulate(batch, from, to);
    model.finish(gradient);
    return gradient;
  }

  private static float[] step(float[] w, float[] sumOf50) {
    float[] next = w.clone();
    for (int i = 0; i < w.length; i++) {
      next[i] -= 0.05f * (sumOf50[i] / 50);
    }
    return next;
  }

  /** Two workers send every 50 ms; a master that gathers for 120 ms takes what has come by then. */
  @Test
  void aTimedMasterGathersForItsTime() {
    TrainingRun run = TrainingRun.plan(timed(0.12), 2).steps(3).run();
    double[] times = run.steps().stream().mapToDouble(record -> record.time()).toArray();
    assertArrayEquals(new double[] {.12, .24, .36}, times, 1e-9);
    assertEquals(List.of(4, 4, 6), run.collections().stream().map(c -> c.workerCount()).toList());
    assertEquals(700, run.accountedExamples());
  }

  /**
   * Results come every 50 ms, and parameters 406 ms after the result that made them. Batch i + 10
   * is the first one that begins after them.
   */
  @Test
  void everyUpdateIsSentToWorkersThatNeverWait() {
    CostModel slowNetwork = new CostModel(0.001, 0, 0, 0, 0, 0, 0.203, Double.POSITIVE_INFINITY);
    TrainingRun run = TrainingRun.plan(kBatch(1), 1).costs(slowNetwork).steps(60).run();
    run.workers().stream()
        .filter(result -> result.masterStep() > 20)
        .forEach(result -> assertEquals(9, result.staleness(), result.toString()));
  }

  /** The master's link, which counts the sets of parameters that workers have not taken. */
  private static final class Counting extends ForwardingCommunicator {
    private final int[] underWay = new int[size()];
    private final int[] most;

    Counting(Communicator link, int[] most) {
      super(link);
      this.most = most;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      super.send(to, message, deadline);
      if (rank() == MASTER && message.kind() == Message.Kind.PARAMETERS) {
        most[0] = Math.max(most[0], ++underWay[to]);
      }
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      boolean received = super.receive(from, into, deadline);
      if (received && into.kind() == Message.Kind.TAKEN) {
        underWay[into.source()]--;
      }
      return received;
    }
  }

  @Test
  void theMasterSendsNoMoreThanAWindowAdmits() {
    CostModel slowNetwork = new CostModel(0.001, 0, 0, 0, 0, 0, 2, Double.POSITIVE_INFINITY);
    int[] most = {0};
    TrainingRun.plan(kBatch(1), 2)
        .costs(slowNetwork)
        .links(link -> new Counting(link, most))
        .steps(300)
        .run();
    assertEquals(Communicator.window(TrainingRun.source().layout().size()), most[0]);
  }

  @Test
  void aTimedMasterWaitsForAtLeastOneGradient() {
    TrainingRun run = TrainingRun.plan(timed(0.02), 1).steps(3).run();
    double[] times = run.steps().stream().mapToDouble(record -> record.time()).toArray();
    assertArrayEquals(new double[] {.05, .1, .15}, times, 1e-9);
  }

  /** Parameters take 20 ms to send here, so that time passes while workers are sent the newest. */
  @Test
  void aTimedMasterTakesNothingAfterItsTime() {
    CostModel slowLinks = new CostModel(0.001, 0, 0, 0, 0, 0, 0, 15_000);
    TrainingRun run = TrainingRun.plan(timed(0.12), 6).costs(slowLinks).steps(20).run();
    double begin = 0;
    for (StepRecord step : run.steps()) {
      double deadline = begin + step.sendTime() + 0.12;
      run.workers().stream()
          .filter(result -> result.masterStep() == step.step())
          .skip(1)
          .forEach(result -> assertTrue(result.time() <= deadline + 1e-9, result.toString()));
      begin = step.time();
    }
  }

  @Test
  void wholeBatchesNeverWaitEither() {
    Scheme fmb =
        Schemes.named("fmb-dg")
            .create(new SchemeOptions(20, 2).with(AmbDelayedGradient.MASTER_BATCH_MIN, 3));
    TrainingRun run = TrainingRun.plan(fmb, 2).speeds(1, 0.5).steps(2).run();
    assertEquals(List.of(1, 1, 2, 1, 1, 2), run.workers().stream().map(r -> r.rank()).toList());
    assertEquals(0.04, run.steps().get(0).time(), 1e-9);
    assertEquals(0.08, run.steps().get(1).time(), 1e-9);
  }

  @Property(tries = 25)
  void everyExampleCountsOnceWhateverTheDelays(
      @ForAll @IntRange(min = 1, max = 4) int workers,
      @ForAll @IntRange(min = 1, max = 6) int results,
      @ForAll boolean delayed,
      @ForAll long seed) {
    Scheme scheme =
        Schemes.named("amb-dg")
            .create(
                options(0.05)
                    .with(AmbDelayedGradient.MASTER_BATCH_MIN, results)
                    .with(AmbDelayedGradient.DELAY_STD, delayed ? 0.1 : -1));
    TrainingRun run =
        TrainingRun.plan(scheme, workers)
            .seed(seed)
            .delays(random -> 0.1 * random.nextDouble())
            .steps(20)
            .run();
    run.accountedExamples();
    assertEquals(20 * results, run.workers().size());
    run.workers().forEach(record -> assertTrue(record.staleness() >= 0));
  }

  /**
   * Parameters and gradients are held 0.16 s each on average, at 20 updates a second. In a model of
   * this run the mean staleness of 200 seeds is 3.3 to 4.0 with delays of one side alone, and 5.2
   * to 6.0 with both.
   */
  @Test
  void messagesAreHeldOnBothSides() {
    Scheme held =
        Schemes.named("amb-dg")
            .create(
                options(0.05)
                    .with(AmbDelayedGradient.MASTER_BATCH_MIN, 1)
                    .with(AmbDelayedGradient.DELAY_STD, 0.2));
    TrainingRun run = TrainingRun.plan(held, 1).steps(400).run();
    double staleness = run.workers().stream().mapToLong(r -> r.staleness()).average().getAsDouble();
    assertTrue(staleness > 4.5, "mean staleness " + staleness);
  }

  @Test
  void learns() {
    TrainingRun run = TrainingRun.plan(kBatch(2), 3).steps(300).run();
    run.assertLearnt();
  }

  /** A master that offers parameters, and gathers in its own way. */
  private static Scheme offering(Consumer<Master> gathering) {
    return new AmbDelayedGradient(options(0.05)) {
      @Override
      public void master(Master master) {
        while (master.nextStep()) {
          master.offer();
          gathering.accept(master);
          master.update();
          master.record();
        }
      }
    };
  }

  @Test
  void aNoticeOfTakenParametersIsNoResult() {
    TrainingRun run = TrainingRun.plan(offering(Master::receiveAny), 2).steps(7).run();
    assertEquals(
        Collections.nCopies(7, 50L), run.steps().stream().map(StepRecord::numSamples).toList());
    run.accountedExamples();
  }

  @Test
  void resultsAtTheNewestParametersNeedIdleWorkers() {
    for (Consumer<Master> gathering :
        List.<Consumer<Master>>of(Master::receive, m -> m.gather(2))) {
      TrainingRun.Plan plan = TrainingRun.plan(offering(gathering), 2).steps(7);
      IllegalStateException rejected = assertThrows(IllegalStateException.class, plan::run);
      assertEquals(
          "after offer(), expected gatherAny() or receiveAny(), found receive() or gather()",
          rejected.getMessage());
    }
  }
}
