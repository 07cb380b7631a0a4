package io.github.amb.bench.compute;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.seconds;
import static io.github.amb.bench.harness.Parameter.text;
import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.core.option.Setting;
import io.github.amb.core.update.UpdateRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Update rules, and the master's whole update with three gradients, next to a copy. JMH times each
 * in a separate JVM. The JVMs alternate, and ratios are of the same turn.
 */
public final class UpdateBenchmark extends Benchmark {
  private static final Setting<String> RULES =
      text("rules", "all", "update rules, joined by commas", "which");
  private static final Setting<List<Integer>> PARAMETERS =
      integers("parameters", "1000000,10000000", 1, "lengths of the vector");
  private static final Setting<Integer> TURNS =
      integer("turns", 3, 1, "JVMs for each rule and length");
  private static final Setting<Integer> ITERATIONS =
      integer("iterations", 5, 1, "measurements in each JVM, after 2 that do not count");
  private static final Setting<Double> SLICE = seconds("slice", 0.2, "time of one measurement");

  private static final int WARM_UP = 2;
  private static final String ALLOCATION = "gc.alloc.rate.norm";

  private static final List<String> NOTES =
      List.of(
          "a time is the median iteration of one JVM; median (range) over JVMs that take turns",
          "bytes allocated per step include what JMH allocates per iteration, as copy shows",
          "GB/s: each vector that a step needs, read or written once; master: sum of "
              + UpdateState.WORKERS
              + " gradients, weight decay and rule");

  public UpdateBenchmark() {
    super(
        "optimizers",
        "update rules and the master's update next to a copy (JMH)",
        List.of(RULES, PARAMETERS, TURNS, ITERATIONS, SLICE));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws RunnerException {
    List<String> works = works(given);
    List<Table> tables = new ArrayList<>();
    for (int parameters : given.integers(PARAMETERS)) {
      double[][] millis = new double[works.size()][given.get(TURNS)];
      double[][] bytes = new double[works.size()][given.get(TURNS)];
      for (int turn = 0; turn < given.get(TURNS); turn++) {
        for (int i = 0; i < works.size(); i++) {
          String what = format("%,d parameters, turn %d: ", parameters, turn + 1);
          int all = given.get(TURNS) * works.size();
          given.say(what + works.get(i), turn * works.size() + i, all);
          Map<String, Object> fields = Map.of("work", works.get(i), "parameters", parameters);
          int iterations = given.get(ITERATIONS);
          double slice = given.get(SLICE);
          RunResult result =
              JmhRun.of(UpdateState.class, "step", fields, WARM_UP, iterations, slice);
          millis[i][turn] = JmhRun.millis(result);
          bytes[i][turn] = result.getSecondaryResults().get(ALLOCATION).getScore();
        }
      }
      tables.add(table(parameters, works, millis, bytes));
    }
    return new BenchmarkReport(tables, List.of(), NOTES);
  }

  private static List<String> works(BenchmarkRun given) {
    List<String> rules =
        given.text(RULES).equals("all") ? UpdateRules.ALL.names() : given.texts(RULES);
    rules.forEach(UpdateRules::named);
    List<String> works = new ArrayList<>(List.of(UpdateState.COPY));
    works.addAll(rules);
    rules.forEach(rule -> works.add(UpdateState.MASTER + rule));
    return works;
  }

  private static Table table(
      int parameters, List<String> works, double[][] millis, double[][] bytes) {
    Table table =
        new Table(
            format("%,d parameters", parameters),
            "work time_ms gb_per_s ratio_to_copy bytes_allocated");
    for (int i = 0; i < works.size(); i++) {
      Sample time = Sample.of(millis[i]);
      double gigabytes = 4e-9 * parameters * UpdateState.vectors(works.get(i));
      table.row(
          works.get(i),
          time,
          time.map(elapsed -> gigabytes / (1e-3 * elapsed)),
          Sample.ratio(millis[i], millis[0]),
          Sample.of(bytes[i]).median());
    }
    return table;
  }
}
