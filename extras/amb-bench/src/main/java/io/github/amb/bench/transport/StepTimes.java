package io.github.amb.bench.transport;

import io.github.amb.bench.harness.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Microseconds of steps, by way to communicate and length: the median of each round. */
final class StepTimes {
  private final Map<String, Map<Integer, List<Double>>> medians = new LinkedHashMap<>();
  private final Map<String, Map<Integer, List<Double>>> round = new LinkedHashMap<>();

  /**
   * Adds one step.
   *
   * @param time length and microseconds
   */
  synchronized void add(String name, double[] time) {
    of(round, name, (int) time[0]).add(time[1]);
  }

  /** Ends a round, in which each way has been measured. */
  synchronized void endRound() {
    round.forEach(
        (name, lengths) ->
            lengths.forEach(
                (length, times) ->
                    of(medians, name, length)
                        .add(Sample.of(times.stream().mapToDouble(t -> t).toArray()).median())));
    round.clear();
  }

  private static List<Double> of(
      Map<String, Map<Integer, List<Double>>> map, String name, int length) {
    return map.computeIfAbsent(name, key -> new LinkedHashMap<>())
        .computeIfAbsent(length, key -> new ArrayList<>());
  }

  /** The ways that were measured. */
  Set<String> names() {
    return medians.keySet();
  }

  /** Milliseconds per step, one number per round. */
  Sample millis(String name, int length) {
    return Sample.of(medians(name, length)).map(micros -> micros / 1e3);
  }

  private double[] medians(String name, int length) {
    return medians.get(name).get(length).stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** One way's time divided by another's, one number per round. */
  Sample ratio(String name, String to, int length) {
    return Sample.ratio(medians(name, length), medians(to, length));
  }
}
