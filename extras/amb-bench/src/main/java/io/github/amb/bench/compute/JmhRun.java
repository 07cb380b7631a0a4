package io.github.amb.bench.compute;

import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measurements by JMH in one JVM. */
final class JmhRun {
  private JmhRun() {}

  /**
   * Measures one operation.
   *
   * @param parameters fields of {@code state}
   * @param slice seconds of one measurement
   */
  static RunResult of(
      Class<?> state,
      String method,
      Map<String, Object> parameters,
      int warmUp,
      int iterations,
      double slice)
      throws RunnerException {
    TimeValue time = TimeValue.milliseconds(Math.round(1e3 * slice));
    var options = new OptionsBuilder();
    options.include(state.getName() + "." + method + "$").addProfiler(GCProfiler.class);
    options.warmupIterations(warmUp).warmupTime(time);
    options.measurementIterations(iterations).measurementTime(time);
    options.forks(1).shouldFailOnError(true).verbosity(VerboseMode.SILENT);
    parameters.forEach((name, value) -> options.param(name, value.toString()));
    return new Runner(options.build()).runSingle();
  }

  /** Median milliseconds. */
  static double millis(RunResult result) {
    return result.getPrimaryResult().getStatistics().getPercentile(50);
  }
}
