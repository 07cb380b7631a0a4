package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.StandInSource;
import io.github.amb.bench.harness.Table;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.TimingSource;
import io.github.amb.core.sim.VirtualCluster;
import java.util.List;

/** Events per second of the virtual cluster against the number of workers, timing alone. */
public final class SimBenchmark extends Benchmark {
  private static final Setting<List<Integer>> WORKERS =
      integers("workers", "1,10,100,1000,3000", 1, "numbers of workers");
  private static final Setting<Integer> STEPS = integer("steps", 100, 1, "steps of each run");
  private static final Setting<Integer> PARAMETERS =
      integer("parameters", 1_000_000, 1, "parameters that a message stands for");

  private static final Setting<Integer> REPEATS =
      integer("repeats", 3, 1, "times each is measured");

  private static final int WARM_UP_WORKERS = 100;
  private static final double NANOS = 1e9;
  private static final double MEGABYTE = 1 << 20;

  /** A millisecond per example; links of 10 Gbit/s. */
  private static final CostModel COSTS = new CostModel(1e-3, 0, 0, 0, 0, 0, 1e-4, 1.25e9);

  public SimBenchmark() {
    super(
        "sim",
        "events per second of the virtual cluster against the number of workers",
        List.of(WORKERS, STEPS, PARAMETERS, REPEATS));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) {
    int steps = given.get(STEPS);
    int weight = given.get(PARAMETERS);
    Table table =
        new Table(
            "fmb under niagara, gradients none",
            "workers steps events wall_s events_per_s us_per_event heap_mb");
    simulate(WARM_UP_WORKERS, steps, weight);
    for (int workers : given.integers(WORKERS)) {
      given.say(workers + " workers", table.rows().size(), given.integers(WORKERS).length);
      double[] seconds = new double[given.get(REPEATS)];
      long events = 0;
      for (int i = 0; i < seconds.length; i++) {
        long start = System.nanoTime();
        events = simulate(workers, steps, weight);
        seconds[i] = (System.nanoTime() - start) / NANOS;
      }
      Runtime runtime = Runtime.getRuntime();
      double heap = (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
      long turns = events;
      Sample wall = Sample.of(seconds);
      Sample rate = wall.map(each -> turns / each);
      table.row(workers, steps, events, wall, rate, rate.map(each -> 1e6 / each), heap);
    }
    return new BenchmarkReport(
        List.of(table),
        List.of(),
        List.of(
            "An event is a rank that is woken; a worker's step has two or three.",
            "heap_mb is what the heap holds at the end, garbage included."));
  }

  /** Runs a job on a virtual cluster; returns the number of times that a rank was woken. */
  private static long simulate(int workers, int steps, int weight) {
    Scheme scheme = Schemes.named("fmb").create(new SchemeOptions(64, workers));
    GradientSource source = new TimingSource(StandInSource.EXAMPLES, 10_000);
    VirtualCluster cluster = new VirtualCluster(workers + 1, COSTS, COSTS.workTime(), weight);
    var niagara = DelayModels.named("niagara");
    cluster.run(
        (communicator, clock) -> {
          int rank = communicator.rank();
          if (rank == Communicator.MASTER) {
            StopRule stop = StopRule.after(steps);
            scheme.runMaster(StandInSource.master(source, clock, stop, record -> {}), communicator);
          } else {
            var order = ExampleOrder.unread();
            scheme.runWorker(
                StandInSource.worker(source, clock, rank, order, niagara, record -> {}),
                communicator);
          }
        });
    return cluster.events();
  }
}
