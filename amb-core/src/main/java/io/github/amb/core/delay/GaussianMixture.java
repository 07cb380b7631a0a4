package io.github.amb.core.delay;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A mixture of folded normal distributions with a cap. A delay is {@code min(cap, |X|)} seconds,
 * where X is normal with mean μᵢ and standard deviation σᵢ, and i is drawn with probability wᵢ.
 * Components with σᵢ = 0 are atoms at μᵢ.
 *
 * <p>The experiments of Anytime Mini-Batch induce stragglers in this way
 * (github.com/thadikari/anytime). Instances are immutable and may be shared by threads.
 */
public final class GaussianMixture implements DelayModel {
  /** Upper bound of every delay, in seconds. */
  public static final double HARD_CAP = 1024;

  private static final double SIGMAS_TO_CAP = 5;
  private static final double WEIGHT_TOLERANCE = 1e-6;

  private final List<Component> components;
  private final double[] cumulative;

  /** The longest delay in seconds. */
  final double cap;

  /**
   * One component of the mixture.
   *
   * @param mean μ in seconds, before folding
   * @param std σ in seconds, before folding; 0 for an atom at {@code mean}
   * @param weight probability of the component
   */
  public record Component(double mean, double std, double weight) {
    /** Adds a line for each number that is negative or not finite. */
    void addProblems(String where, List<String> problems) {
      requireNotNegative(where + " mean", mean, problems);
      requireNotNegative(where + " std", std, problems);
      requireNotNegative(where + " weight", weight, problems);
    }

    private static void requireNotNegative(String what, double value, List<String> problems) {
      if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
        problems.add(what + ": expected a finite number of at least 0, found " + value);
      }
    }
  }

  /**
   * A mixture whose cap is the largest {@code μᵢ + 5σᵢ}, at most {@link #HARD_CAP}.
   *
   * @param components at least one
   * @throws IllegalArgumentException if there are no components, a mean, standard deviation or
   *     weight is negative or not finite, or the weights do not sum to 1 within 10⁻⁶; the message
   *     has one problem per line
   */
  public GaussianMixture(List<Component> components) {
    List<String> problems = problems(components);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
    this.components = List.copyOf(components);
    cumulative = new double[components.size()];
    double sum = 0;
    double reach = 0;
    for (int i = 0; i < cumulative.length; i++) {
      Component c = components.get(i);
      sum += c.weight;
      cumulative[i] = sum;
      reach = Math.max(reach, c.mean + SIGMAS_TO_CAP * c.std);
    }
    cap = Math.min(HARD_CAP, reach);
  }

  private static List<String> problems(List<Component> components) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < components.size(); i++) {
      components.get(i).addProblems("component " + (i + 1), problems);
    }
    addWeightProblem(components, problems);
    return problems;
  }

  /** Adds a line if the weights do not sum to 1. */
  static void addWeightProblem(List<Component> components, List<String> problems) {
    double sum = components.stream().mapToDouble(Component::weight).sum();
    if (!(Math.abs(sum - 1) <= WEIGHT_TOLERANCE)) {
      problems.add("weights: expected a sum of 1, found " + sum);
    }
  }

  @Override
  public double sample(UniformRandomProvider random) {
    Component c = pick(random.nextDouble() * cumulative[cumulative.length - 1]);
    if (c.std == 0) {
      return Math.min(cap, c.mean);
    }
    double z = ZigguratSampler.NormalizedGaussian.of(random).sample();
    return Math.min(cap, Math.abs(c.mean + c.std * z));
  }

  private Component pick(double u) {
    int i = 0;
    while (i < cumulative.length - 1 && u >= cumulative[i]) {
      i++;
    }
    return components.get(i);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Means, standard deviations and therefore the cap are scaled; {@link #HARD_CAP} is not.
   */
  @Override
  public GaussianMixture scaled(double factor) {
    return new GaussianMixture(
        components.stream()
            .map(c -> new Component(factor * c.mean, factor * c.std, c.weight))
            .toList());
  }

  /** The components, in the order given. */
  public List<Component> components() {
    return components;
  }
}
