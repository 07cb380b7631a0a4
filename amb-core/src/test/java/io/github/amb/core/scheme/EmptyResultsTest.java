package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.update.DivergedException;
import java.lang.reflect.Proxy;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results without examples, as those become that are left out since they are not finite. */
class EmptyResultsTest {
  private static final int WORKERS = 3;

  private static TrainingRun.Plan plan(
      String scheme, long steps, BiPredicate<Integer, Long> emptied) {
    SchemeOptions options = new SchemeOptions(16, WORKERS);
    return TrainingRun.plan(Schemes.named(scheme).create(options), WORKERS)
        .costs(CostModel.perExample(0.001))
        .steps(steps)
        .links(engine -> new Emptying(engine, emptied, new ArrayList<>()));
  }

  /** Empties results on their way. */
  private static final class Emptying extends ForwardingCommunicator {
    private final BiPredicate<Integer, Long> emptied;
    private final List<float[]> others;

    /**
     * @param others receives the values of the results that are not emptied
     */
    Emptying(Communicator engine, BiPredicate<Integer, Long> emptied, List<float[]> others) {
      super(engine);
      this.emptied = emptied;
      this.others = others;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      boolean result =
          message.kind() == Message.Kind.GRADIENT || message.kind() == Message.Kind.DELTA;
      if (result && emptied.test(rank(), message.step())) {
        Arrays.fill(message.values(), 0, message.length(), 0);
        message.examples(0);
        message.asResult().lossSum(0);
      } else if (result) {
        others.add(Arrays.copyOf(message.values(), message.length()));
      }
      super.send(to, message, deadline);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "coded", "async", "local-sgd", "fmb-dg"})
  void trainingEndsAfterTenStepsWithoutAnyResult(String scheme) {
    TrainingRun.Plan plan = plan(scheme, 100, (rank, step) -> step > 2);
    DivergedException diverged = assertThrows(DivergedException.class, plan::run);
    assertTrue(
        diverged
            .getMessage()
            .matches(
                "step \\d+: expected a finite result in 10 steps, found none; training has"
                    + " diverged, try a smaller learning rate"),
        diverged.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "coded", "local-sgd"})
  void aStepWithResultsNowAndThenIsEnough(String scheme) {
    assertEquals(60, plan(scheme, 60, (rank, step) -> step % 10 != 0).run().steps().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "async", "local-sgd", "fmb-dg"})
  void aWorkerWithResultsIsEnough(String scheme) {
    assertEquals(60, plan(scheme, 60, (rank, step) -> rank > 1).run().steps().size());
  }

  /**
   * A first step of DiLoCo moves by 0.7 times 1.5 the mean change. Three floats are added up,
   * divided by their number, multiplied and subtracted: at most ten roundings, of terms that add up
   * to at most twice these.
   */
  @ParameterizedTest
  @CsvSource({"local-sgd, 1", "diloco, 1.05", "esync, 1"})
  void changesAreAveragedOverThoseWithExamples(String scheme, double rate) {
    List<float[]> changes = new ArrayList<>();
    SchemeOptions options = new SchemeOptions(16, 4);
    TrainingRun run =
        TrainingRun.plan(Schemes.named(scheme).create(options), 4)
            .steps(1)
            .links(engine -> new Emptying(engine, (rank, step) -> rank == 2, changes))
            .run();
    float[] w = new float[run.parameters.length];
    TrainingRun.source().initialize(Seeds.of(1), w);
    assertEquals(3, changes.size());
    for (int i = 0; i < w.length; i++) {
      double sum = 0;
      double terms = Math.abs(w[i]);
      for (float[] change : changes) {
        sum += change[i];
        terms += Math.abs(change[i]);
      }
      assertEquals(
          w[i] - rate * sum / 3, run.parameters[i], 20 * TrainingRun.UNIT_ROUNDOFF * terms);
    }
  }

  /**
   * Its own gradients are applied where they are computed, and nobody else could leave them out.
   */
  @Test
  void aGradientThatIsNotFiniteIsLeftOutWhereItIsApplied() {
    List<String> told = new ArrayList<>();
    List<Long> alone =
        plan("fmb", 5, (rank, step) -> false)
            .sources(EmptyResultsTest::thirdIsNotFinite)
            .nonFinite(telling(told))
            .runLocally()
            .steps()
            .stream()
            .map(StepRecord::numSamples)
            .toList();
    assertEquals(List.of(16L, 16L, 0L, 16L, 16L), alone);
    assertEquals(
        List.of("rank 1, step 3, 16 examples from 32 on: block softmax.W, which has NaN"), told);
    told.clear();
    SchemeOptions options = new SchemeOptions(16, WORKERS).with(LocalSgd.LOCAL_STEPS, 2);
    List<Long> locally =
        TrainingRun.plan(Schemes.named("local-sgd").create(options), WORKERS)
            .steps(4)
            .sources(EmptyResultsTest::thirdIsNotFinite)
            .nonFinite(telling(told))
            .run()
            .steps()
            .stream()
            .map(StepRecord::numSamples)
            .toList();
    assertEquals(List.of(96L, 48L, 96L, 96L), locally);
    assertEquals(WORKERS, told.size());
  }

  private static NonFinite telling(List<String> told) {
    return (rank, step, first, examples, found) ->
        told.add(
            "rank %d, step %d, %d examples from %d on: %s"
                .formatted(rank, step, examples, first, found));
  }

  /** A source whose third gradient has an entry that is not a number. */
  private static GradientSource thirdIsNotFinite(GradientSource source) {
    AtomicInteger finished = new AtomicInteger();
    return (GradientSource)
        Proxy.newProxyInstance(
            GradientSource.class.getClassLoader(),
            new Class<?>[] {GradientSource.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(source, arguments);
              if (method.getName().equals("finish") && finished.incrementAndGet() == 3) {
                ((FloatBuffer) arguments[0]).put(0, Float.NaN);
              }
              return result;
            });
  }

  /** The sum of all batches is in the others' results, whichever rank's is empty. */
  @Test
  void codedSumsWithoutOneRankMakeTheSameUpdate() {
    BiPredicate<Integer, Long> inTurn = (rank, step) -> rank == 1 + step % WORKERS;
    TrainingRun expected = plan("fmb", 6, (rank, step) -> false).rule("sgd", 0.05, 0).run();
    TrainingRun run = plan("coded", 6, inTurn).rule("sgd", 0.05, 0).run();
    expected.assertEqualButForRounding(run, 48);
  }

  /** A sum of some batches is no gradient of all of them. */
  @Test
  void withTooFewCodedSumsNothingIsUpdated() {
    TrainingRun run =
        plan("coded", 6, (rank, step) -> step == 3 && rank == 2 || step == 4 && rank > 1).run();
    List<Long> examples = run.steps().stream().map(StepRecord::numSamples).toList();
    assertEquals(List.of(48L, 48L, 48L, 0L, 48L, 48L), examples);
    assertEquals(Double.NaN, run.steps().get(3).loss());
  }
}
