package io.github.amb.runtime.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.TruncatedNormalDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;

/**
 * The density of a parameter's places, given some: an equal mixture of the uniform prior and a
 * normal distribution around each place, cut off at the ends of the range. Its standard deviation
 * is the larger distance to a neighbor, the ends included, and at least a hundredth (with fewer
 * than 99 places: 1 / (1 + places)) of the range. Choices have the prior's weight of one each, and
 * one for each time that they were taken. Bergstra et al., "Algorithms for Hyper-Parameter
 * Optimization", NeurIPS 2011, section 4.2.
 */
final class Parzen {
  private static final int NARROWEST = 100;

  private final int choices;
  private final double from;
  private final double to;
  private final double[] places;
  private final List<ContinuousDistribution> kernels;

  /**
   * @param places in any order; not modified
   */
  Parzen(Parameter parameter, double[] places) {
    double room = parameter.isWhole() ? 0.5 : 0;
    choices = parameter.choices().size();
    from = parameter.place(parameter.low() - room);
    to = parameter.place(parameter.high() + room);
    this.places = Arrays.stream(places).sorted().toArray();
    int last = choices > 0 ? -1 : places.length;
    kernels = IntStream.rangeClosed(0, last).mapToObj(this::kernel).toList();
  }

  /** That of a place, or the prior after the last one. */
  private ContinuousDistribution kernel(int index) {
    if (index == places.length) {
      return UniformContinuousDistribution.of(from, to);
    }
    double place = places[index];
    double left = place - (index == 0 ? from : places[index - 1]);
    double right = (index == places.length - 1 ? to : places[index + 1]) - place;
    double narrowest = (to - from) / Math.min(NARROWEST, 1 + places.length);
    double deviation = Math.max(narrowest, Math.max(left, right));
    return TruncatedNormalDistribution.of(place, deviation, from, to);
  }

  double density(double place) {
    double taken = Arrays.stream(places).filter(each -> each == place).count();
    return choices > 0
        ? (1 + taken) / (choices + places.length)
        : kernels.stream().mapToDouble(one -> one.density(place)).sum() / kernels.size();
  }

  /** A place, drawn from the density. */
  double draw(UniformRandomProvider random) {
    int component = random.nextInt(places.length + Math.max(1, choices));
    if (choices > 0) {
      return component < places.length ? places[component] : component - places.length;
    }
    return kernels.get(component).inverseCumulativeProbability(random.nextDouble());
  }
}
