package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchTest {
  private static final Parameter RATE = number("learning-rate", true, false, 1e-4, 1);
  private static final Parameter DECAY = number("weight-decay", false, false, 0, 1);
  private static final Parameter RULE =
      new Parameter("update-rule", false, false, 0, 1, List.of("sgd", "adam", "rms"));
  private static final List<Parameter> SPACE = List.of(RATE, DECAY, RULE);

  private static Parameter number(
      String name, boolean log, boolean whole, double low, double high) {
    return new Parameter(name, log, whole, low, high, List.of());
  }

  private static Search search(boolean sampler, int trials, int batch, long seed) {
    return new Search(sampler, trials, batch, seed, SPACE);
  }

  /** The distance from a rate of 0.01, a decay of 0.7 and the second rule. */
  private static double loss(Trial trial) {
    double rate = Math.log10(Double.parseDouble(trial.values().get("learning-rate"))) + 2;
    double decay = Double.parseDouble(trial.values().get("weight-decay")) - 0.7;
    double rule = trial.values().get("update-rule").equals("adam") ? 0 : 0.5;
    return rate * rate + 4 * decay * decay + rule;
  }

  private static List<Trial> run(Search search) {
    List<Trial> done = new ArrayList<>();
    for (List<Trial> batch = search.next(done); !batch.isEmpty(); batch = search.next(done)) {
      batch.forEach(trial -> done.add(trial.judged(0, loss(trial))));
    }
    return done;
  }

  /**
   * Two places of 0.2 and 0.5 in a range of 1: deviations are 1/3, the narrowest of two, and 0.5.
   * The densities of the normal distributions, cut off at 0 and 1, are from the error function.
   */
  @Test
  void aDensityIsTheMixtureOfPriorAndCutNormals() {
    Parzen density = new Parzen(DECAY, new double[] {0.5, 0.2});
    assertEquals(1.1795907911078156, density.density(0.4), 1e-12);

    double[] rates = {RATE.place(0.01), RATE.place(0.1)};
    assertEquals(0.12761373912376475, new Parzen(RATE, rates).density(RATE.place(0.02)), 1e-12);
  }

  @Test
  void aDensityHasAnIntegralOfOne() {
    int steps = 100_000;
    Parzen density = new Parzen(DECAY, new double[] {0, 0.1, 0.11, 0.9});
    double sum =
        IntStream.range(0, steps).mapToDouble(i -> density.density((i + 0.5) / steps)).sum();
    // The error of the midpoint rule is f'' / (24 n^2), and f'' < 1e3 with deviations over 1/5.
    assertEquals(1, sum / steps, 1e-8);
  }

  @Test
  void choicesHaveAWeightOfOneMoreThanTheirCount() {
    Parzen density = new Parzen(RULE, new double[] {1, 1, 2});
    assertEquals(1 / 6.0, density.density(0), 1e-15);
    assertEquals(3 / 6.0, density.density(1), 1e-15);
    assertEquals(2 / 6.0, density.density(2), 1e-15);
  }

  /** The largest distance of n draws to their distribution is below 2 / √n but once in 1,500. */
  @Test
  void drawsHaveTheDensity() {
    UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(1L);
    Parzen density = new Parzen(DECAY, new double[] {0.2, 0.5});
    double[] draws =
        IntStream.range(0, 2500).mapToDouble(i -> density.draw(random)).sorted().toArray();
    double below = 0;
    double place = 0;
    for (int i = 0; i < draws.length; i++) {
      int parts = 20;
      for (int part = 0; part < parts; part++) {
        below +=
            density.density(place + (draws[i] - place) * (part + 0.5) / parts)
                * (draws[i] - place)
                / parts;
      }
      place = draws[i];
      assertEquals(below, (i + 0.5) / draws.length, 2 / Math.sqrt(draws.length));
    }
  }

  /**
   * The rank sum of the best losses of 20 seeds each: were both samplers alike, the normal deviate
   * would be above 3.09 once in a thousand times.
   */
  @Test
  void theEstimatorBeatsRandomSearch() {
    int seeds = 20;
    List<double[]> all = new ArrayList<>();
    for (boolean sampler : new boolean[] {false, true}) {
      for (long seed = 1; seed <= seeds; seed++) {
        double best =
            run(search(sampler, 100, 5, seed)).stream()
                .mapToDouble(Trial::loss)
                .min()
                .orElseThrow();
        all.add(new double[] {best, sampler ? 1 : 0});
      }
    }
    all.sort(Comparator.comparingDouble(each -> each[0]));
    double ranks = IntStream.range(0, all.size()).filter(i -> all.get(i)[1] == 0).sum();
    double mean = seeds * (2 * seeds - 1) / 2.0;
    double deviate = (ranks - mean) / Math.sqrt(seeds * seeds * (2 * seeds + 1) / 12.0);
    assertTrue(deviate > 3.09, () -> "deviate " + deviate);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSameTrialsGiveTheSameProposals(boolean sampler) {
    List<Trial> once = run(search(sampler, 23, 5, 7));
    assertEquals(23, once.size());
    assertEquals(once, run(search(sampler, 23, 5, 7)));
    assertNotEquals(once, run(search(sampler, 23, 5, 8)));
    // A search that is interrupted proposes the same batch again.
    assertEquals(
        once.subList(15, 20).stream().map(Trial::values).toList(),
        search(sampler, 23, 5, 7).next(once.subList(0, 15)).stream().map(Trial::values).toList());
  }

  @Test
  void trialsAtRandomAreTheSameInAnyBatches() {
    assertEquals(run(search(false, 23, 5, 7)), run(search(false, 23, 23, 7)));
  }

  @Test
  void valuesStayInTheirRange() {
    List<Parameter> space =
        List.of(
            number("a", false, false, 0.12345678, 0.12345679),
            number("b", true, false, 1.00004e-6, 1.00006e-6),
            number("c", false, true, 3, 4),
            number("d", true, true, 1, 3));
    List<Trial> done = new ArrayList<>();
    Search search = new Search(true, 200, 40, 1, space);
    for (List<Trial> batch = search.next(done); !batch.isEmpty(); batch = search.next(done)) {
      batch.forEach(trial -> done.add(trial.judged(0, trial.number() % 7)));
    }
    for (Parameter each : space) {
      List<String> values = done.stream().map(t -> t.values().get(each.name())).distinct().toList();
      assertTrue(
          values.stream()
              .mapToDouble(Double::parseDouble)
              .allMatch(value -> value >= each.low() && value <= each.high()),
          values::toString);
      assertEquals(each.isWhole() ? each.high() - each.low() + 1 : values.size(), values.size());
    }
  }

  @Test
  void theBestTrialIsTheOneThatGotFarthest() {
    List<Trial> trials =
        new ArrayList<>(
            List.of(
                new Trial(1, Map.of(), 0, Double.NaN),
                new Trial(2, Map.of(), 0, 0.1),
                new Trial(3, Map.of(), 1, 0.5),
                new Trial(4, Map.of(), 1, 0.4)));
    trials.sort(Trial.BEST_FIRST);
    assertEquals(List.of(4, 3, 2, 1), trials.stream().map(Trial::number).toList());
  }

  /** Of n trials, ⌊n / ηᵏ⌋ have a budget of R η^(k - s), and at least one has. */
  @Test
  void halvingHasTheCountsAndBudgetsOfItsPaper() {
    assertEquals(List.of(1.0, 3.0, 9.0, 27.0, 81.0), Search.rungs(1, 81, 3));
    assertEquals(List.of(100 / 4.0, 100 / 2.0, 100.0), Search.rungs(20, 100, 2));
    assertEquals(List.of(5.0), Search.rungs(5, 5, 3));
    for (int trials : new int[] {1, 2, 26, 27, 80, 81}) {
      int kept = trials;
      for (int rung = 1; rung < 5; rung++) {
        kept = Search.kept(kept, 3);
        assertEquals(Math.max(1, (int) (trials / Math.pow(3, rung))), kept);
      }
    }
  }
}
