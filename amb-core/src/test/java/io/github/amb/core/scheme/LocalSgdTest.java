package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.StepRecord;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSgdTest {
  private static SchemeOptions options() {
    return new SchemeOptions(10, 2);
  }

  private static Scheme localSgd(int steps) {
    return Schemes.named("local-sgd").create(options().with(LocalSgd.LOCAL_STEPS, steps));
  }

  private static Scheme diLoCo(int steps, double rate, double momentum) {
    return Schemes.named("diloco")
        .create(
            options()
                .with(LocalSgd.LOCAL_STEPS, steps)
                .with(DiLoCo.OUTER_LEARNING_RATE, rate)
                .with(DiLoCo.OUTER_MOMENTUM, momentum));
  }

  private static Scheme anytime(double timeLimit) {
    return Schemes.named("anytime-sgd")
        .create(options().with(AnytimeOptions.TIME_LIMIT, timeLimit));
  }

  private static TrainingRun train(Scheme scheme, long steps) {
    return TrainingRun.plan(scheme, 2).rule("sgd", 0.2, 1e-3).steps(steps).run();
  }

  /** What a worker has after some local steps from {@code w}, computed without messages. */
  private static float[] after(int steps, float[] w, int worker) {
    GradientSource model = TrainingRun.source();
    ExampleOrder order =
        new ExampleOrder(new Streams(Seeds.of(1)), model.trainingExamples(), worker, 2);
    int[] batch = new int[10];
    float[] local = w.clone();
    float[] gradient = new float[w.length];
    for (int k = 0; k < steps; k++) {
      order.peek(batch);
      order.advance(10);
      model.begin(local, 0);
      model.accumulate(batch, 0, 10);
      model.finish(gradient);
      for (int i = 0; i < w.length; i++) {
        local[i] -= 0.05f * gradient[i] / 10;
      }
    }
    return local;
  }

  private static float[] initial() {
    GradientSource model = TrainingRun.source();
    float[] w = new float[model.layout().size()];
    model.initialize(Seeds.of(1), w);
    return w;
  }

  @Test
  void oneLocalStepIsFixedMiniBatch() {
    Scheme fmb = Schemes.named("fmb").create(options());
    TrainingRun one = TrainingRun.plan(fmb, 2).rule("sgd", 0.05, 1e-3).steps(20).run();
    TrainingRun local = TrainingRun.plan(localSgd(1), 2).rule("sgd", 0.05, 1e-3).steps(20).run();
    one.assertEqualButForRounding(local, 20);
  }

  @Test
  void parametersAreTheMeanOfTheWorkers() {
    TrainingRun run = TrainingRun.plan(localSgd(3), 2).rule("sgd", 0.05, 0).steps(1).run();
    float[] first = after(3, initial(), 0);
    float[] second = after(3, initial(), 1);
    float[] mean = new float[first.length];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = (first[i] + second[i]) / 2;
    }
    run.assertParametersAreNearly(mean, 10, 3);
    assertEquals(0.03, run.steps().get(0).time(), 1e-9);
    assertEquals(60, run.accountedExamples());
  }

  /** Three batches of 10 ms against one of 25 ms in 25 ms. */
  @Test
  void anytimeSgdWeightsParametersByTheWorkDone() {
    TrainingRun run =
        TrainingRun.plan(anytime(0.025), 2).speeds(1, 0.4).rule("sgd", 0.05, 0).steps(1).run();
    float[] first = after(3, initial(), 0);
    float[] second = after(1, initial(), 1);
    float[] mean = new float[first.length];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = (30 * first[i] + 10 * second[i]) / 40;
    }
    run.assertParametersAreNearly(mean, 10, 3);
    assertEquals(0.03, run.steps().get(0).time(), 1e-9);
  }

  @Test
  void anytimeSgdHasOneDelayPerStepInItsTime() {
    TrainingRun run = TrainingRun.plan(anytime(0.1), 1).delays(random -> 0.07).steps(2).run();
    assertEquals(30, run.workers().get(1).numSamples());
    assertEquals(0.07, run.workers().get(1).sleepTime(), 1e-9);
    assertEquals(0.2, run.steps().get(1).time(), 1e-9);
  }

  @Test
  void diLoCoWithoutMomentumAtRateOneIsLocalSgdBitForBit() {
    assertArrayEquals(train(localSgd(4), 10).parameters, train(diLoCo(4, 1, 0), 10).parameters);
    assertFalse(
        Arrays.equals(train(localSgd(4), 10).parameters, train(diLoCo(4, 1, 0.9), 10).parameters));
  }

  /** The first outer step moves by η (1 + μ) times the mean change. */
  @Test
  void diLoCoTakesANesterovStepAlongTheMeanChange() {
    float[] w = initial();
    float[] average =
        TrainingRun.plan(localSgd(3), 2).rule("sgd", 0.05, 0).steps(1).run().parameters;
    float[] outer =
        TrainingRun.plan(diLoCo(3, 0.7, 0.9), 2).rule("sgd", 0.05, 0).steps(1).run().parameters;
    for (int i = 0; i < w.length; i++) {
      // Six operations here and six there, on terms that add up to 2.33 times these.
      double rounding = 28 * TrainingRun.UNIT_ROUNDOFF * (Math.abs(w[i]) + Math.abs(average[i]));
      assertEquals(w[i] - 0.7 * 1.9 * (w[i] - average[i]), outer[i], rounding);
    }
  }

  /** Two workers of batches of 10; later the fast one does more, or both do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "local-sgd local-steps=3",
        "diloco local-steps=3",
        "noloco local-steps=3",
        "streaming-diloco local-steps=6",
        "decoupled-diloco local-steps=6 quorum=2",
        "anytime-sgd amb-time-limit=0.1",
        "esync",
        "fedavg",
        "fedprox",
        "fedbuff buffer-size=2 dispatch=2",
        "scaffold",
        "fedcompass local-steps-min=3"
      })
  void aWarmUpHasSingleSteps(String scheme) {
    TrainingRun run =
        TrainingRun.plan(SchemeSamples.make(scheme + " local-steps-after=4", 10, 2), 2)
            .speeds(1, 0.3)
            .steps(8)
            .run();
    for (int step = 1; step <= 8; step++) {
      long samples = run.steps().get(step - 1).numSamples();
      assertTrue(step <= 4 ? samples == 20 : samples > 20, scheme + ": " + samples);
    }
  }

  /** Its updates have one worker's change each. */
  @Test
  void aWarmUpOfAsyncDiLoCoHasSingleSteps() {
    String scheme = "async-diloco local-steps=3 local-steps-by=none local-steps-after=4";
    TrainingRun run = TrainingRun.plan(SchemeSamples.make(scheme, 10, 2), 2).steps(8).run();
    List<Long> samples = run.steps().stream().map(StepRecord::numSamples).toList();
    assertEquals(List.of(10L, 10L, 10L, 10L), samples.subList(0, 4));
    assertEquals(List.of(30L, 30L), samples.subList(6, 8));
  }

  @Property(tries = 15)
  void noExampleIsLostOrCountedTwice(@ForAll @IntRange(min = 1, max = 5) int steps) {
    assertEquals(10L * 2 * steps * 10, train(localSgd(steps), 10).accountedExamples());
  }

  @Test
  void learns() {
    TrainingRun run = train(diLoCo(5, 0.7, 0.9), 60);
    run.assertLearnt();
  }
}
