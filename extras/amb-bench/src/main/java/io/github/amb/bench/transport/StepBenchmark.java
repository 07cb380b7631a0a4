package io.github.amb.bench.transport;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.text;
import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.launch.SiteMpi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The communication of a full step: parameters to all workers, and the sum of a gradient from each.
 * It is measured on every engine and by programs for comparison, in rounds in which they alternate.
 * A simulation then extends the results to a thousand workers.
 */
public final class StepBenchmark extends Benchmark {
  private static final Setting<List<Integer>> LENGTHS =
      integers("lengths", "1000000,4607178,25000000", 1, "floats in each message");
  private static final Setting<List<Integer>> STEPS =
      integers("steps", "60,20,8", 1, "steps timed per round, for each length");
  private static final Setting<List<Integer>> WORKERS =
      integers("workers", "2,4", 1, "numbers of workers");
  private static final Setting<Integer> ROUNDS = integer("rounds", 5, 1, "rounds");
  private static final Setting<String> CODECS =
      text("codecs", "qsgd:4,topk:0.01", "codecs", "codecs of the simulated clusters");

  private static final int[] CLUSTERS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
  private static final int SCALED = 4_607_178;
  private static final double GIGABIT = 1.25e8;
  private static final String TCP = "-tcp";
  private static final Map<String, String> OVER_TCP =
      Map.of("OMPI_MCA_btl", "tcp,self", "OMPI_MCA_pml", "ob1");

  /** A comparison; the first may take at most a given multiple of the second's time. */
  private record Comparison(String name, String to, double limit) {}

  private static final List<Comparison> COMPARISONS =
      List.of(
          new Comparison("openmpi", "c-gather", 1.15),
          new Comparison("openmpi-tcp", "c-gather-tcp", 1.15),
          new Comparison("mpj", "raw", 1 / 0.9),
          new Comparison("mpj-sockets", "raw", 1 / 0.9),
          new Comparison("mpj-encrypted", "mpj-sockets", 1 / 0.6),
          new Comparison("mpj", "mpj-collectives", 1),
          new Comparison("mpj-sockets", "mpj-collectives", 1),
          new Comparison("mpj", "openmpi", Double.NaN),
          new Comparison("mpj-sockets", "openmpi-tcp", Double.NaN),
          new Comparison("openmpi-reduce", "openmpi", Double.NaN),
          new Comparison("openmpi-reduce-tcp", "openmpi-tcp", Double.NaN),
          new Comparison("c-reduce", "c-gather", Double.NaN));

  public StepBenchmark() {
    super(
        "step",
        "a step's communication on every engine, in C, over raw sockets, and to 1,000 workers",
        List.of(LENGTHS, STEPS, WORKERS, ROUNDS, CODECS));
  }

  @Override
  public void check(BenchmarkRun given) {
    if (given.integers(LENGTHS).length != given.integers(STEPS).length) {
      throw new UsageException("--steps: expected one number for each of --lengths");
    }
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException, InterruptedException {
    List<String> notes = new ArrayList<>();
    Map<Integer, StepTimes> measured = new LinkedHashMap<>();
    try (TemporaryDirectory work = new TemporaryDirectory()) {
      Map<String, StepGroup> groups = groups(work.path(), notes);
      for (int workers : given.integers(WORKERS)) {
        measured.put(workers, measure(given, workers, groups));
      }
    }
    return report(given, measured, notes);
  }

  private static Map<String, StepGroup> groups(Path work, List<String> notes)
      throws IOException, InterruptedException {
    Map<String, StepGroup> groups = new LinkedHashMap<>();
    groups.put("mpj", StepGroup.mpj("mpj", List.of(), ""));
    List<String> sockets = List.of("-Damb.mpj.shared=");
    groups.put("mpj-sockets", StepGroup.mpj("mpj-sockets", sockets, StepRank.WITH_YARDSTICKS));
    List<String> encrypted = List.of("-Damb.mpj.shared=", "-Damb.mpj.encrypt=true");
    groups.put("mpj-encrypted", StepGroup.mpj("mpj-encrypted", encrypted, ""));
    Path program = StepGroup.compile(work);
    if (program == null) {
      notes.add("no mpicc here, so no C program");
    }
    boolean openmpi = SiteMpi.present().isPresent();
    if (!openmpi) {
      notes.add(SiteMpi.MISSING);
    }
    addOpenMpi(groups, program, openmpi, "", Map.of());
    addOpenMpi(groups, program, openmpi, TCP, OVER_TCP);
    return groups;
  }

  /**
   * Adds Open MPI next to what it is compared with, as the machine's speed changes within a minute.
   */
  private static void addOpenMpi(
      Map<String, StepGroup> groups,
      Path program,
      boolean openmpi,
      String suffix,
      Map<String, String> environment) {
    if (program != null) {
      groups.put("c" + suffix, StepGroup.c(program, suffix, environment));
    }
    if (openmpi) {
      groups.put("openmpi" + suffix, StepGroup.openmpi("openmpi", suffix, environment));
      groups.put(
          "openmpi-reduce" + suffix,
          StepGroup.openmpi("openmpi-reduce@sliced", suffix, environment));
    }
  }

  /**
   * Measures all lengths, and a length of one float, which shows the cost of a step whatever its
   * length. Every other round is in reverse order, so that a change of the machine's speed favors
   * none.
   */
  private static StepTimes measure(BenchmarkRun given, int workers, Map<String, StepGroup> groups)
      throws IOException, InterruptedException {
    StepTimes times = new StepTimes();
    int rounds = given.get(ROUNDS);
    List<Map.Entry<String, StepGroup>> order = new ArrayList<>(groups.entrySet());
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, StepGroup> group : order) {
        given.say("%d workers, %s".formatted(workers, group.getKey()), round, rounds);
        group
            .getValue()
            .run(workers, "1," + given.text(LENGTHS), "200," + given.text(STEPS), times::add);
      }
      for (int i = 0; i < given.integers(LENGTHS).length; i++) {
        int length = given.integers(LENGTHS)[i];
        double copy = Yardsticks.memoryCopy(length, workers, given.integers(STEPS)[i]).median();
        times.add("memory-copy", new double[] {length, 1e6 * copy});
      }
      times.endRound();
      Collections.reverse(order);
    }
    return times;
  }

  private static BenchmarkReport report(
      BenchmarkRun given, Map<Integer, StepTimes> measured, List<String> notes) {
    List<Table> tables = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    measured.forEach(
        (workers, times) -> {
          tables.add(times(given, workers, times));
          tables.add(ratios(given, workers, times, targets));
        });
    addScaling(given, measured.values().iterator().next(), tables, notes);
    notes.add(
        "step: the master sends its parameters to all workers, and sums a vector of each in rank"
            + " order; c-reduce and mpj-collectives leave the order to MPI");
    notes.add(
        "mpj, openmpi, c: through memory that the ranks share; mpj-sockets, raw, mpj-collectives"
            + " and all that end with -tcp: through sockets of the loopback interface;"
            + " mpj-encrypted: as mpj-sockets, with --encrypt");
    notes.add("memory-copy: as many floats copied from place to place, without the sum");
    return new BenchmarkReport(tables, targets, notes);
  }

  private static Table times(BenchmarkRun given, int workers, StepTimes times) {
    Table table = new Table(workers + " workers", "what floats ms");
    for (String name : times.names()) {
      for (int length : given.integers(LENGTHS)) {
        table.row(name, length, times.millis(name, length));
      }
    }
    return table;
  }

  private static Table ratios(
      BenchmarkRun given, int workers, StepTimes times, List<Target> targets) {
    Table table = new Table(workers + " workers, compared", "what floats ratio");
    for (Comparison comparison : COMPARISONS) {
      boolean both = times.names().containsAll(List.of(comparison.name(), comparison.to()));
      for (int length : both ? given.integers(LENGTHS) : new int[0]) {
        Sample ratio = times.ratio(comparison.name(), comparison.to(), length);
        String what = comparison.name() + " / " + comparison.to();
        table.row(what, length, ratio);
        if (comparison.limit() > 0) {
          targets.add(
              new Target(
                  format("%s, %d workers, %,d floats", what, workers, length),
                  comparison.limit(),
                  ratio.median()));
        }
      }
    }
    return table;
  }

  /**
   * Adds the simulation, with the engine's constants over sockets, as separate machines share no
   * memory.
   */
  private static void addScaling(
      BenchmarkRun given, StepTimes times, List<Table> tables, List<String> notes) {
    int length = given.integers(LENGTHS)[given.integers(LENGTHS).length / 2];
    int workers = given.integers(WORKERS)[0];
    double latency = times.millis("mpj-sockets", 1).median() / 2e3;
    double seconds = times.millis("mpj-sockets", length).median() / 1e3 - 2 * latency;
    double bandwidth = 2.0 * workers * Float.BYTES * length / seconds;
    List<Scaling.Wire> wires = given.texts(CODECS).stream().map(Scaling.Wire::measured).toList();
    tables.add(new Scaling(latency, bandwidth, SCALED).table("links as measured", CLUSTERS, wires));
    tables.add(new Scaling(latency, GIGABIT, SCALED).table("links of 1 Gbit/s", CLUSTERS, wires));
    notes.add(
        format(
            "links as measured: virtual cluster with what mpj-sockets took here, %.0f us of latency"
                + " and %.2f GB/s of each link; %,d parameters; encoding and decoding timed here,"
                + " one thread; no computation of gradients",
            1e6 * latency, 1e-9 * bandwidth, SCALED));
  }
}
