package io.github.amb.runtime.experiment;

import io.github.amb.core.random.Streams;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * How settings are proposed. The same trials give the same proposals. Those of a batch do not
 * depend on each other, so that it does not matter how many are tried at a time.
 *
 * @param estimates whether settings are drawn from what is known, by a tree-structured Parzen
 *     estimator: of settings drawn from the density of the good trials, those with the largest
 *     ratio to the density of the others (Bergstra et al., NeurIPS 2011); else at random
 * @param trials in all
 * @param batch trials that are proposed together
 * @param seed of the draws
 * @param space one parameter or more
 */
public record Search(boolean estimates, int trials, int batch, long seed, List<Parameter> space) {
  /** The share of the trials that are good ones, γ, as in Optuna. With 0.25 choices are stuck. */
  private static final double GOOD = 0.1;

  /** Trials at random before the others. */
  private static final int STARTUP = 10;

  /** Drawn settings of which the most promising ones are proposed. */
  private static final int CANDIDATES = 24;

  /**
   * The next batch.
   *
   * @param done all trials before; not modified
   * @return none if all have been proposed
   */
  public List<Trial> next(List<Trial> done) {
    List<Trial> ordered = done.stream().sorted(Trial.BEST_FIRST).toList();
    return IntStream.range(done.size(), Math.min(trials, done.size() + batch))
        .mapToObj(i -> new Trial(i + 1, values(ordered, i + 1), -1, Double.NaN))
        .toList();
  }

  private Map<String, String> values(List<Trial> ordered, int number) {
    UniformRandomProvider random = new Streams(seed).stream("search", 0, number);
    boolean knows = estimates && number > STARTUP && !ordered.isEmpty();
    List<Trial> known = knows ? ordered : List.of();
    int good = (int) Math.ceil(GOOD * known.size());
    List<Parzen> likely = densities(known.subList(0, good));
    List<Parzen> others = densities(known.subList(good, known.size()));
    Map<String, String> best = Map.of();
    double most = Double.NEGATIVE_INFINITY;
    for (int candidate = 0; candidate < (knows ? CANDIDATES : 1); candidate++) {
      Map<String, String> values = new LinkedHashMap<>();
      double ratio = 0;
      for (int i = 0; i < space.size(); i++) {
        Parameter each = space.get(i);
        String value = each.value(likely.get(i).draw(random));
        double place = each.place(each.number(value));
        ratio += Math.log(likely.get(i).density(place) / others.get(i).density(place));
        values.put(each.name(), value);
      }
      best = ratio > most ? values : best;
      most = Math.max(most, ratio);
    }
    return best;
  }

  private List<Parzen> densities(List<Trial> trials) {
    return space.stream()
        .map(
            each ->
                new Parzen(
                    each,
                    trials.stream()
                        .mapToDouble(
                            trial -> each.place(each.number(trial.values().get(each.name()))))
                        .toArray()))
        .toList();
  }

  /**
   * The budgets of successive halving, the smallest one first: the last one divided by powers of
   * the factor. Jamieson and Talwalkar, AISTATS 2016; Li et al., "Hyperband", JMLR 2018.
   *
   * @param least no budget is below it
   * @param factor above 1
   */
  public static List<Double> rungs(double least, double last, double factor) {
    List<Double> rungs = new ArrayList<>();
    // A budget that is the least but for rounding counts.
    for (double rung = last; rung >= least * (1 - 1e-9); rung /= factor) {
      rungs.add(0, rung);
    }
    return rungs.isEmpty() ? List.of(last) : List.copyOf(rungs);
  }

  /** How many of some trials go on to the next rung: one in {@code factor}, and at least one. */
  public static int kept(int trials, double factor) {
    return Math.max(1, (int) (trials / factor));
  }
}
