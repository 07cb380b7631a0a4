package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import java.lang.management.ManagementFactory;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterUpdateTest {
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("a.W", Block.Kind.WEIGHT, 0, 2, 3),
              new Block("a.b", Block.Kind.BIAS, 6, 2),
              new Block("a.mean", Block.Kind.RUNNING_STATISTIC, 8, 2),
              new Block("b.W", Block.Kind.WEIGHT, 10, 11)));
  private static final int SIZE = LAYOUT.size();
  private static final int[] RANKS = {1, 3, 4, 7};

  @Test
  void dividesTheSumOfAllGradientsByAllExamplesOnce() {
    float[] w = filled(1);
    float[][] sums = {filled(6), filled(2), filled(4)};
    update("sgd", 0, 4096).apply(w, buffers(sums), RANKS, 3, 24, 0.5);
    // mean 12 / 24 = 0.5: weights and biases 1 − 0.5 · 0.5, running statistics 1 − 0.5
    float[] expected = filled(0.75f);
    expected[8] = expected[9] = 0.5f;
    assertArrayEquals(expected, w);
  }

  /**
   * Decay beside gradients whose momentum is in the codec has the strength that it has before the
   * rule {@code mom}: 100 steps of decay alone leave .3686 of a weight, not .9048 = .999^100.
   */
  @Test
  void decayHasTheMomentumOfTheCodec() {
    double lambda = 0.01;
    WeightDecay decay = new WeightDecay(lambda, false, 0.9);
    var update = new MasterUpdate(LAYOUT, UpdateRules.named("sgd").create(SIZE), decay);
    var mom =
        new MasterUpdate(
            LAYOUT, UpdateRules.named("mom").create(SIZE), new WeightDecay(lambda, false));
    float[] w = filled(1);
    float[] expected = filled(1);
    double byHand = 1;
    double velocity = 0;
    for (int step = 0; step < 100; step++) {
      update.apply(w, buffers(filled(0)), RANKS, 1, 1, 0.1);
      mom.apply(expected, buffers(filled(0)), RANKS, 1, 1, 0.1);
      velocity = 0.9 * velocity + lambda * byHand;
      byHand -= 0.1 * velocity;
    }
    assertArrayEquals(expected, w);
    // 100 steps of 3 roundings each.
    assertEquals(byHand, w[0], 300 * 0x1p-24);
    assertEquals(0.3686, w[0], 5e-5);
    assertEquals(1, w[6], "a bias");
  }

  /** A resumed run continues with the velocity. */
  @Test
  void theMomentumOfDecayIsInACheckpoint() {
    WeightDecay decay = new WeightDecay(0.1, false, 0.9);
    float[] w = filled(1);
    var update = new MasterUpdate(LAYOUT, UpdateRules.named("sgd").create(SIZE), decay);
    update.apply(w, buffers(filled(0)), RANKS, 1, 1, 0.1);
    var resumed = new MasterUpdate(LAYOUT, UpdateRules.named("sgd").create(SIZE), decay);
    for (int i = 0; i < update.rule().state().size(); i++) {
      System.arraycopy(update.rule().state().get(i), 0, resumed.rule().state().get(i), 0, SIZE);
    }
    float[] other = w.clone();
    update.apply(w, buffers(filled(0)), RANKS, 1, 1, 0.1);
    resumed.apply(other, buffers(filled(0)), RANKS, 1, 1, 0.1);
    assertArrayEquals(w, other);
  }

  /** Rules that count their steps, as Adam does, count updates. */
  @Test
  void anUpdateIsOneStepOfTheRule() {
    MasterUpdate update = update("adm", 0, 4, 3);
    float[] w = filled(1);
    float[] byHand = {1};
    UpdateRule rule = UpdateRules.named("adm").create(1);
    for (int step = 1; step <= 3; step++) {
      update.apply(w, buffers(filled(step)), RANKS, 1, 1, 0.1);
      rule.beginStep();
      rule.apply(byHand, new float[] {step}, 0, 1, 0.1);
      assertEquals(step, update.rule().steps());
      assertEquals(byHand[0], w[0]);
    }
  }

  @Test
  void addsWeightDecayToWeightsOnlyAndOncePerStep() {
    float[] w = filled(2);
    float[][] sums = {filled(1), filled(1), filled(1), filled(1)};
    update("sgd", 0.25, 4096).apply(w, buffers(sums), RANKS, 4, 4, 0.5);
    // g = 1, with decay 1 + 0.25 · 2 = 1.5
    float[] expected = filled(2 - 0.75f);
    expected[6] = expected[7] = 2 - 0.5f;
    expected[8] = expected[9] = 2 - 1;
    assertArrayEquals(expected, w);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "mom", "rms", "adm"})
  void someGradientsEqualTheirSum(String name) {
    UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(3));
    MasterUpdate several = update(name, 5e-4, 4096);
    MasterUpdate one = update(name, 5e-4, 4096);
    float[] w = random(random);
    float[] same = w.clone();
    for (int step = 0; step < 5; step++) {
      float[][] sums = {random(random), random(random), random(random), random(random)};
      float[] sum = new float[SIZE];
      for (int i = 0; i < SIZE; i++) {
        sum[i] = ((sums[0][i] + sums[1][i]) + sums[2][i]) + sums[3][i];
      }
      several.apply(w, buffers(sums), RANKS, 4, 100, 0.1);
      one.apply(same, buffers(sum), RANKS, 1, 100, 0.1);
      assertArrayEquals(same, w);
    }
  }

  /** A rule in which every thread but the one that asks for the update fails. */
  private static final class BrokenRule implements UpdateRule {
    private final Thread caller = Thread.currentThread();
    private final CountDownLatch failed = new CountDownLatch(1);
    private final Error error;

    BrokenRule(Error error) {
      this.error = error;
    }

    @Override
    public void beginStep() {}

    @Override
    public void apply(float[] parameters, float[] gradient, int from, int to, double rate) {
      if (Thread.currentThread() != caller) {
        failed.countDown();
        throw error;
      }
      try {
        assertTrue(failed.await(60, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long steps() {
      return 0;
    }

    @Override
    public void steps(long steps) {}

    @Override
    public List<float[]> state() {
      return List.of();
    }
  }

  /** Otherwise the update would be applied in part, and nobody would know. */
  @Test
  void anErrorInAnotherThreadEndsTheUpdate() {
    Error error = new AssertionError("broken");
    MasterUpdate update =
        new MasterUpdate(
            LAYOUT, new BrokenRule(error), new WeightDecay(0), Clipping.NONE, null, 1, 8, 2);
    float[] w = filled(1);
    assertSame(
        error,
        assertThrows(
            AssertionError.class, () -> update.apply(w, buffers(filled(1)), RANKS, 1, 1, 1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 10, 16, 21})
  void theSizeOfChunksDoesNotChangeABit(int chunk) {
    for (UpdateRules.Entry rule : UpdateRules.ALL.all()) {
      assertArrayEquals(
          trained(update(rule.name(), 5e-4, 4096)),
          trained(update(rule.name(), 5e-4, chunk)),
          rule.name() + " " + chunk);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 21})
  void theNumberOfRangesAndThreadsDoesNotChangeABit(int ranges) {
    for (UpdateRules.Entry rule : UpdateRules.ALL.all()) {
      assertArrayEquals(
          trained(update(rule.name(), 5e-4, 4096)),
          trained(update(rule.name(), 5e-4, 3, ranges)),
          rule.name() + " " + ranges);
    }
  }

  private static float[] trained(MasterUpdate update) {
    UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(5));
    float[] w = random(random);
    for (int step = 0; step < 5; step++) {
      float[][] sums = {random(random), random(random), random(random)};
      update.apply(w, buffers(sums), RANKS, 3, 64, 0.1);
    }
    return w;
  }

  @Test
  void compiledAndInterpretedLoopsGiveTheSameBits() {
    Layout layout = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, 10_001)));
    for (UpdateRules.Entry rule : UpdateRules.ALL.all()) {
      UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(7));
      float[][] sums = {random(random, 10_001), random(random, 10_001)};
      float[] first = once(layout, rule, sums);
      for (int i = 0; i < 300; i++) {
        once(layout, rule, sums);
      }
      assertArrayEquals(first, once(layout, rule, sums), rule.name());
    }
  }

  private static float[] once(Layout layout, UpdateRules.Entry rule, float[][] sums) {
    float[] w = new float[layout.size()];
    MasterUpdate update =
        new MasterUpdate(
            layout, rule.create(w.length), new WeightDecay(0.01), Clipping.NONE, null, 1024, 1, 1);
    update.apply(w, buffers(sums), RANKS, 2, 3, 0.1);
    update.apply(w, buffers(sums), RANKS, 2, 3, 0.1);
    return w;
  }

  @Test
  void aHookChangesTheMeanGradientOfTrainableEntries() {
    UpdateHook hook =
        new UpdateHook() {
          @Override
          public void change(float[] mean, int length) {
            for (int i = 0; i < length; i++) {
              mean[i] *= 3;
            }
          }
        };
    MasterUpdate update = update("sgd", 0, 4, 3, hook);
    float[] w = filled(1);
    update.apply(w, buffers(filled(2)), RANKS, 1, 4, 0.5);
    // mean 0.5: 1 − 0.5 · 3 · 0.5, running statistics 1 − 0.5
    float[] expected = filled(0.25f);
    expected[8] = expected[9] = 0.5f;
    assertArrayEquals(expected, w);
  }

  @Test
  void updatedParametersAreWrittenToACopy() {
    for (int ranges : new int[] {1, 3}) {
      FloatBuffer copy = FloatBuffer.allocate(SIZE + 1);
      float[] w = random(RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(9)));
      update("rms", 0.1, 4, ranges).apply(w, copy, buffers(filled(2)), RANKS, 1, 4, 0.5);
      assertArrayEquals(w, Arrays.copyOf(copy.array(), SIZE));
      assertEquals(0, copy.get(SIZE));
    }
  }

  @Test
  void gradientsAreNotModified() {
    float[] first = filled(1);
    float[] second = filled(2);
    float[] unused = filled(Float.NaN);
    float[] w = filled(1);
    float[][] sums = {first, second, unused};
    update("adm", 0.1, 8).apply(w, buffers(sums), RANKS, 2, 2, 0.1);
    assertArrayEquals(filled(1), first);
    assertArrayEquals(filled(2), second);
    assertArrayEquals(filled(Float.NaN), unused);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aNonFiniteNumberIsTracedToItsRankAndBlock(int culprit) {
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      for (Block block : LAYOUT.blocks()) {
        float[][] sums = {filled(1), filled(1), filled(1), filled(1)};
        sums[culprit][block.end() - 1] = bad;
        var error =
            assertThrows(
                NonFiniteGradientException.class,
                () -> update("sgd", 0, 4, 3).apply(filled(1), buffers(sums), RANKS, 4, 4, 0.1));
        assertEquals(RANKS[culprit], error.rank());
        assertEquals(block.name(), error.block());
      }
    }
  }

  @Test
  void theMessageOfANonFiniteGradientHasARemedy() {
    float[][] sums = {filled(1), filled(1)};
    sums[1][7] = Float.NaN;
    var error =
        assertThrows(
            NonFiniteGradientException.class,
            () -> update("sgd", 0, 4096).apply(filled(1), buffers(sums), RANKS, 2, 2, 0.1));
    assertEquals(
        "gradient of rank 3, block a.b, entry 1: expected a finite number, found NaN;"
            + " training has diverged, try a smaller learning rate,"
            + " or drop such results with --non-finite drop",
        error.getMessage());
    assertEquals(
        "step 20: " + error.getMessage().replace("rank 3", "rank 5"), error.at(5, 20).getMessage());
    assertEquals(
        "step 20: "
            + error.getMessage().replace("rank 3", "rank 5, examples 48 to 63 of its order"),
        error.of(48, 16).at(5, 20).getMessage());
    assertEquals(error.getMessage(), error.of(-1, 16).getMessage());
  }

  /** So that what is saved after a rejected gradient is what the last step has left. */
  @ParameterizedTest
  @ValueSource(strings = {"mom", "adm"})
  void aRejectedGradientLeavesEverythingAsItWas(String rule) {
    float[] w = filled(1);
    FloatBuffer copy = FloatBuffer.wrap(filled(7));
    List<String> hooked = new ArrayList<>();
    UpdateHook hook =
        new UpdateHook() {
          @Override
          public void begin(long step, int[] ranks, int count) {
            hooked.add("begin");
          }
        };
    MasterUpdate update = update(rule, 0.1, 4, 3, hook);
    update.apply(w, buffers(filled(1)), RANKS, 1, 1, 0.1);
    float[] good = w.clone();
    StateMap state = new StateMap();
    state.save("update", update.rule());
    float[] bad = filled(2);
    bad[SIZE - 1] = Float.NaN;
    assertThrows(
        NonFiniteGradientException.class,
        () -> update.apply(w, copy, buffers(bad), RANKS, 1, 1, 0.1));
    assertArrayEquals(good, w);
    assertArrayEquals(filled(7), copy.array());
    assertEquals(List.of("begin"), hooked);
    StateMap now = new StateMap();
    now.save("update", update.rule());
    state
        .entries()
        .forEach((name, array) -> assertTrue(Objects.deepEquals(array, now.get(name)), name));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void parametersThatOverflowAreRejected(int ranges) {
    for (Block block : LAYOUT.blocks()) {
      float[] w = filled(0);
      w[block.end() - 1] = -Float.MAX_VALUE;
      float[] sum = filled(0);
      sum[block.end() - 1] = Float.MAX_VALUE;
      var error =
          assertThrows(
              NonFiniteParametersException.class,
              () -> update("sgd", 0, 4, ranges).apply(w, buffers(sum), RANKS, 1, 1, 1));
      assertEquals(
          "step 7: parameters of rank 0 after the update, block %s, entry %d: expected a finite number, found -Infinity; training has diverged, try a smaller learning rate"
              .formatted(block.name(), block.length() - 1),
          error.at(0, 7).getMessage());
    }
  }

  /** With an infinite second moment the parameter would stay where it is for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"rms", "adm"})
  void aRulesStateThatOverflowsIsRejected(String rule) {
    float[] sum = filled(0);
    sum[7] = 1e30f;
    var error =
        assertThrows(
            NonFiniteParametersException.class,
            () -> update(rule, 0, 4, 3).apply(filled(0), buffers(sum), RANKS, 1, 1, 1));
    assertTrue(
        error
            .getMessage()
            .startsWith(
                "state of the update rule, block a.b, entry 1: expected a finite number, found"
                    + " Infinity;"),
        error.getMessage());
  }

  @Test
  void largeFiniteParametersAreFine() {
    float[] w = filled(Float.MAX_VALUE);
    update("sgd", 0, 4096).apply(w, buffers(filled(1)), RANKS, 1, 1, 1);
    assertArrayEquals(filled(Float.MAX_VALUE), w);
  }

  @Test
  void largeFiniteGradientsAreAccepted() {
    float[] w = filled(0);
    float[][] sums = {filled(Float.MAX_VALUE)};
    update("sgd", 0, 4096).apply(w, buffers(sums), RANKS, 1, 1, 0x1p-127);
    assertEquals(-Float.MAX_VALUE * 0x1p-127f, w[0]);
  }

  @Test
  void nothingIsAllocated() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    MasterUpdate update = update("adm", 5e-4, 4);
    float[] w = filled(1);
    FloatBuffer[] sums = buffers(filled(1), filled(1), filled(1));
    update.apply(w, sums, RANKS, 3, 3, 0.1);
    threads.getCurrentThreadAllocatedBytes();
    long before = threads.getCurrentThreadAllocatedBytes();
    int updates = 100;
    for (int i = 0; i < updates; i++) {
      update.apply(w, sums, RANKS, 3, 3, 0.1);
    }
    // One object per update would be 16 bytes each; the JVM itself may allocate a few.
    assertTrue(threads.getCurrentThreadAllocatedBytes() - before < 16L * updates);
  }

  @Test
  void withoutExamplesNothingChanges() {
    MasterUpdate update = update("sgd", 0, 4096);
    float[][] sums = {filled(1)};
    float[] w = filled(1);
    assertThrows(
        IllegalArgumentException.class, () -> update.apply(w, buffers(sums), RANKS, 1, -1, 0.1));
    update.apply(w, buffers(sums), RANKS, 1, 0, 0.1);
    assertThrows(
        IllegalArgumentException.class, () -> update.apply(w, buffers(sums), RANKS, 0, 1, 0.1));
    assertArrayEquals(filled(1), w);
    assertEquals(0, update.rule().steps());
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1e-9, Double.NaN, Double.POSITIVE_INFINITY})
  void weightDecayIsFiniteAndNotNegative(double coefficient) {
    assertThrows(IllegalArgumentException.class, () -> new WeightDecay(coefficient));
  }

  private static MasterUpdate update(String rule, double decay, int chunk) {
    return update(rule, decay, chunk, 1);
  }

  private static MasterUpdate update(String rule, double decay, int chunk, int ranges) {
    return update(rule, decay, chunk, ranges, null);
  }

  private static MasterUpdate update(
      String rule, double decay, int chunk, int ranges, UpdateHook hook) {
    return new MasterUpdate(
        LAYOUT,
        UpdateRules.named(rule).create(SIZE),
        new WeightDecay(decay),
        Clipping.NONE,
        hook,
        chunk,
        ranges,
        Math.min(ranges, 3));
  }

  private static FloatBuffer[] buffers(float[]... sums) {
    return Arrays.stream(sums).map(FloatBuffer::wrap).toArray(FloatBuffer[]::new);
  }

  private static float[] filled(float value) {
    float[] values = new float[SIZE];
    Arrays.fill(values, value);
    return values;
  }

  private static float[] random(UniformRandomProvider random) {
    return random(random, SIZE);
  }

  private static float[] random(UniformRandomProvider random, int size) {
    float[] values = new float[size];
    IntStream.range(0, size).forEach(i -> values[i] = 10 * (random.nextFloat() - 0.5f));
    return values;
  }
}
