package io.github.amb.core.delay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.Seeds;
import io.github.amb.core.delay.GaussianMixture.Component;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.FoldedNormalDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GaussianMixtureTest {
  /** For each of nine tests: one in 1e8 runs fails for no fault. */
  private static final double ALPHA = 1e-9;

  private static final String NIAGARA = "niagara";
  private static final String CEDAR = "cedar";
  private static final String FOLDED_TWICE = "0.5,1,.5;0.1,0.2,.5";
  private static final String WITH_ATOM_ABOVE_ZERO = "0,0,.2;1,0,.3;1,.5,.5";
  private static final String AT_THE_HARD_CAP = "1000,100,.5;0,2000,.25;3,1,.25";

  @ParameterizedTest
  @ValueSource(strings = {NIAGARA, CEDAR, FOLDED_TWICE, "0,0.25,1"})
  void delaysThatAreNotZeroFollowTheMixture(String name) {
    GaussianMixture mixture = mixture(name);
    double none = cdf(mixture, 0);
    double[] positive = Arrays.stream(draw(mixture, 40_000, 17)).filter(d -> d > 0).toArray();
    double p =
        KolmogorovSmirnovTest.withDefaults()
            .test(positive, x -> (cdf(mixture, x) - none) / (1 - none))
            .getPValue();
    assertTrue(p > ALPHA, name + " p " + p);
  }

  @ParameterizedTest
  @ValueSource(strings = {NIAGARA, CEDAR, FOLDED_TWICE, WITH_ATOM_ABOVE_ZERO, AT_THE_HARD_CAP})
  void countsInIntervalsFollowTheMixture(String name) {
    GaussianMixture mixture = mixture(name);
    double[] edges = edges(mixture);
    double[] expected = new double[edges.length];
    long[] observed = new long[edges.length];
    double below = 0;
    for (int i = 0; i < edges.length; i++) {
      double upTo = i == edges.length - 1 ? 1 : cdf(mixture, edges[i]);
      expected[i] = upTo - below;
      below = upTo;
    }
    for (double delay : draw(mixture, 100_000, 23)) {
      int i = 0;
      while (delay > edges[i]) {
        i++;
      }
      observed[i]++;
    }
    double p = ChiSquareTest.withDefaults().test(expected, observed).getPValue();
    assertTrue(p > ALPHA, name + " p " + p + " " + Arrays.toString(observed));
  }

  /** Right ends of intervals with a probability of at least 0.1 %, the first of them {0}. */
  private static double[] edges(GaussianMixture mixture) {
    double[] edges = new double[200];
    double below = cdf(mixture, 0);
    int count = below > 0 ? 1 : 0;
    for (int i = 1; i < 1000; i++) {
      double x = i * mixture.cap / 1000;
      if (cdf(mixture, x) - below > 0.005 && 1 - cdf(mixture, x) > 0.001) {
        edges[count++] = x;
        below = cdf(mixture, x);
      }
    }
    edges[count++] = mixture.cap;
    return Arrays.copyOf(edges, count);
  }

  @ParameterizedTest
  @ValueSource(strings = {NIAGARA, CEDAR, FOLDED_TWICE, WITH_ATOM_ABOVE_ZERO, AT_THE_HARD_CAP})
  void meanIsTheIntegralOfTheProbabilityOfLongerDelays(String name) {
    GaussianMixture mixture = mixture(name);
    int cells = 50_000;
    double width = mixture.cap / cells;
    double integral = 0;
    for (int i = 0; i < cells; i++) {
      integral += width * (1 - cdf(mixture, (i + 0.5) * width));
    }
    assertEquals(integral, mean(mixture), 2e-5 * mixture.cap);
  }

  @ParameterizedTest
  @ValueSource(strings = {NIAGARA, CEDAR, FOLDED_TWICE, WITH_ATOM_ABOVE_ZERO, AT_THE_HARD_CAP})
  void theMeanOfManyDelaysIsTheMean(String name) {
    GaussianMixture mixture = mixture(name);
    var statistics = Arrays.stream(draw(mixture, 100_000, 29)).summaryStatistics();
    assertEquals(
        mean(mixture),
        statistics.getAverage(),
        mixture.cap * Deviation.ofMean(statistics.getCount()));
  }

  /** Niagara: 0.3 · 0.4 √(2/π) + 0.2 · 2 + 0.1 · 5, as folding and cap change less than 10⁻⁹. */
  @Test
  void theMeanOfNiagaraIsTheNumberComputedByHand() {
    assertEquals(0.995746, mean(mixture(NIAGARA)), 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"niagara, 6.5", "cedar, 0.4", "'1,0,1', 1", "'1000,100,1', 1024", "'0,0,1', 0"})
  void theCapIsFiveSigmasAboveTheHighestMeanOrTheHardCap(String name, double cap) {
    assertEquals(cap, mixture(name).cap, 1e-12);
  }

  @Test
  void noDelayIsAboveTheCap() {
    GaussianMixture mixture = mixture("1020,10,1");
    double[] delays = draw(mixture, 1000, 31);
    double longest = Arrays.stream(delays).max().orElseThrow();
    assertEquals(GaussianMixture.HARD_CAP, longest);
    double share = Arrays.stream(delays).filter(d -> d == longest).count() / 1000.0;
    assertEquals(
        1 - NormalDistribution.of(1020, 10).cumulativeProbability(1024),
        share,
        Deviation.ofMean(delays.length));
  }

  @Test
  void theSameSeedGivesTheSameDelays() {
    GaussianMixture mixture = mixture(NIAGARA);
    assertArrayEquals(draw(mixture, 100, 1), draw(mixture, 100, 1));
    assertFalse(Arrays.equals(draw(mixture, 100, 1), draw(mixture, 100, 2)));
  }

  @Test
  void delaysScaleWithTheFactor() {
    GaussianMixture mixture = mixture(NIAGARA);
    GaussianMixture scaled = mixture.scaled(0.125);
    assertEquals(mean(mixture) / 8, mean(scaled), 1e-15);
    assertEquals(6.5 / 8, scaled.cap);
    double[] expected = Arrays.stream(draw(mixture, 100, 1)).map(d -> d / 8).toArray();
    assertArrayEquals(expected, draw(scaled, 100, 1));
    DelayModel plain = random -> 3;
    assertEquals(1.5, plain.scaled(0.5).sample(null));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.5, Double.NaN, Double.POSITIVE_INFINITY})
  void aFactorIsFiniteAndNotNegative(double factor) {
    assertThrows(IllegalArgumentException.class, () -> mixture(NIAGARA).scaled(factor));
    assertThrows(IllegalArgumentException.class, () -> DelayModel.NONE.scaled(factor));
  }

  @Test
  void everythingWrongWithComponentsIsNamedAtOnce() {
    var components =
        List.of(new Component(-1, Double.NaN, 0.5), new Component(0, Double.POSITIVE_INFINITY, -1));
    var error = assertThrows(IllegalArgumentException.class, () -> new GaussianMixture(components));
    assertEquals(
        """
        component 1 mean: expected a finite number of at least 0, found -1.0
        component 1 std: expected a finite number of at least 0, found NaN
        component 2 std: expected a finite number of at least 0, found Infinity
        component 2 weight: expected a finite number of at least 0, found -1.0
        weights: expected a sum of 1, found -0.5\
        """,
        error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new GaussianMixture(List.of()));
  }

  @Test
  void weightsMayMissOneByAMillionth() {
    assertEquals(1, mean(new GaussianMixture(List.of(new Component(1, 0, 1 - 9e-7)))));
    assertThrows(
        IllegalArgumentException.class,
        () -> new GaussianMixture(List.of(new Component(1, 0, 1 - 2e-6))));
  }

  private static GaussianMixture mixture(String name) {
    return (GaussianMixture) DelayModels.named(name);
  }

  private static double[] draw(GaussianMixture mixture, int count, long seed) {
    var random = RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(seed));
    double[] delays = new double[count];
    Arrays.setAll(delays, i -> mixture.sample(random));
    return delays;
  }

  /** P(delay ≤ x) for 0 ≤ x below the cap. */
  private static double cdf(GaussianMixture mixture, double x) {
    double sum = 0;
    for (Component c : mixture.components()) {
      if (c.std() == 0) {
        sum += c.mean() <= x ? c.weight() : 0;
      } else {
        NormalDistribution normal = NormalDistribution.of(c.mean(), c.std());
        sum += c.weight() * normal.probability(-x, x);
      }
    }
    return sum;
  }

  /** Exact expected delay in seconds, including folding and cap. */
  private static double mean(GaussianMixture mixture) {
    double sum = 0;
    double weights = 0;
    for (Component c : mixture.components()) {
      sum += c.weight() * mean(c, mixture.cap);
      weights += c.weight();
    }
    return sum / weights;
  }

  /** {@code E[min(cap, |X|)]} = folded normal mean − E[(X − cap)⁺] − E[(−X − cap)⁺]. */
  private static double mean(Component c, double cap) {
    if (c.std() == 0) {
      return Math.min(cap, c.mean());
    }
    double folded = FoldedNormalDistribution.of(c.mean(), c.std()).getMean();
    return folded
        - c.std()
            * (normalLoss((cap - c.mean()) / c.std()) + normalLoss((cap + c.mean()) / c.std()));
  }

  /** {@code E[(Z − z)⁺] = φ(z) − z (1 − Φ(z))} for a standard normal Z. */
  private static double normalLoss(double z) {
    ContinuousDistribution normal = NormalDistribution.of(0, 1);
    return normal.density(z) - z * normal.survivalProbability(z);
  }
}
