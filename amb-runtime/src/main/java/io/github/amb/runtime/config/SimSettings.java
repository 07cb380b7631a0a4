package io.github.amb.runtime.config;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.option.Setting;
import java.util.List;

/** The options of the virtual cluster. */
public interface SimSettings {
  /** A value of {@link #GRADIENTS}; the other one is {@code none}. */
  String REAL = "real";

  /** Values of {@link #COST}. */
  String MEASURED = "measured";

  String GIVEN = "given";
  Setting<String> GRADIENTS =
      oneOf("gradients", REAL, "none")
          .help(
              "sim: compute gradients, or simulate the timing alone, without data, losses and evaluations");
  Setting<Integer> PARAMETERS =
      integer("parameters", null, 1)
          .help("sim, gradients none: parameters of the model; default: the network's");
  Setting<String> COST =
      oneOf("cost", null, List.of(MEASURED, GIVEN))
          .help(
              "sim: time gradients here before the run, or take the costs given; default: given if"
                  + " cost-per-example or cost-per-partition is, else measured");
  Setting<Double> COST_PER_EXAMPLE =
      cost("cost-per-example", null).help("sim: time of a gradient per example, at speed 1");
  Setting<Double> COST_PER_PARTITION =
      cost("cost-per-partition", null)
          .help("sim: time of a gradient per partition besides, at speed 1");
  Setting<Double> COST_PER_PARAMETER =
      cost("cost-per-parameter", 0.0).help("sim: time of the master's update per parameter");
  Setting<Double> COST_PER_TEST_EXAMPLE =
      cost("cost-per-test-example", null)
          .help(
              "sim: time of a test per example; default: none, and a test when 2 % of the time has"
                  + " passed since the last one; with --evaluate blocking measured too, or a third"
                  + " of cost-per-example");
  Setting<Double> COST_PER_ENCODED_ENTRY =
      cost("cost-per-encoded-entry", null)
          .help(
              "sim: time of encoding a vector per entry, in both directions; default: measured too, with"
                  + " --codec if there are two, or 0");
  Setting<Double> COST_PER_DECODED_ENTRY =
      cost("cost-per-decoded-entry", null)
          .help(
              "sim: time of decoding a vector per entry, in both directions; default: measured too, with"
                  + " --codec if there are two, or 0");
  Setting<List<Double>> SPEED =
      positive("speed", null)
          .list(List.of(1.0))
          .in("factors above 0, as 1,1,0.5")
          .help("sim: speed of each worker's computation; the last one counts for the rest");
  Setting<String> WORKER_TIMES =
      path("worker-times", null)
          .in("a CSV file")
          .help(
              "sim: columns worker and seconds_per_example, and sleep_time if you like: a row for each"
                  + " batch of a worker, which begins again after its last; in place of induce, speed"
                  + " and cost-per-example");

  /** Names of the clusters that ship. */
  List<String> CLUSTERS =
      List.of("birch-links", "cedar", "ec2-2019", "fail-slow", "halos", "niagara", "spot");

  Setting<String> CLUSTER =
      text("cluster", null)
          .in("a YAML file, or " + String.join(", ", CLUSTERS))
          .help(
              "sim: speed, delays, slow times, failures and link of each node; what it leaves out is"
                  + " as speed, induce, latency and bandwidth say");
  Setting<Double> LATENCY =
      cost("latency", 0.0).help("sim: from the end of a message's transmission to its arrival");
  Setting<Double> BANDWIDTH =
      realOrInfinite("bandwidth", Double.POSITIVE_INFINITY)
          .in("bits per second above 0, or inf", v -> v > 0)
          .help("sim: of each node's link, in and out, shared by its messages");
  Setting<String> REPLAY =
      path("replay", null)
          .in("a run directory")
          .help(
              "repeat the run there in virtual time, with its options and its workers' recorded"
                  + " delays, computing times and numbers of partitions");

  private static Setting<Double> cost(String name, Double fallback) {
    return real(name, fallback).in("seconds, 0 to 1000000", v -> v >= 0 && v <= 1e6);
  }
}
