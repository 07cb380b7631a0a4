package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.text;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.github.amb.bench.compute.PartitionsActions;
import io.github.amb.bench.compute.PartitionsBenchmark;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Noise;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.panel.Partitions;
import io.github.amb.runtime.command.NamedCommand;
import io.github.amb.runtime.plot.PlotCommand;
import io.github.amb.runtime.train.directory.RunProvenance;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Options;

/**
 * {@code amb bench}: runs one benchmark, prints its tables, and reports whether the machine was
 * quiet.
 */
public final class BenchCommand extends NamedCommand {
  private static final Setting<String> JSON =
      text("json", null, "a file", "also write the results there, as JSON");
  private static final Setting<Integer> WAIT_QUIET =
      integer("wait-quiet", 60, 0, "how long to wait, in seconds, until other processes are quiet");
  private static final List<Setting<?>> COMMON = List.of(JSON, WAIT_QUIET);

  private final PrintStream out;
  private final PrintStream progress;

  /** Prints to standard output, progress to standard error. */
  public BenchCommand() {
    this(System.out, System.err);
  }

  BenchCommand(PrintStream out, PrintStream progress) {
    super("bench", "measure speed, memory and overhead on this machine");
    this.out = out;
    this.progress = progress;
  }

  @Override
  public Options options() {
    Options options = new Options();
    for (Benchmark benchmark : Benchmarks.ALL.all()) {
      benchmark.parameters().forEach(p -> options.addOption(null, p.name(), true, p.help()));
    }
    COMMON.forEach(p -> options.addOption(null, p.name(), true, p.help()));
    return options;
  }

  @Override
  public List<String> words() {
    return Benchmarks.ALL.names();
  }

  @Override
  public int run(List<String> arguments) throws Exception {
    if (arguments.isEmpty() || isHelp(arguments.get(0))) {
      out.print("usage: amb bench NAME [OPTION]...\n\n");
      Benchmarks.ALL.all().forEach(b -> out.println("  %-11s %s".formatted(b.name(), b.summary())));
      out.print("\n  amb bench NAME --help lists the options.\n");
      return 0;
    }
    Benchmark benchmark = Benchmarks.named(arguments.get(0));
    List<String> options = arguments.subList(1, arguments.size());
    boolean partitions = benchmark instanceof PartitionsBenchmark && !options.isEmpty();
    if (partitions && options.get(0).equals("plot")) {
      return plot(options.subList(1, options.size()));
    }
    if (options.stream().anyMatch(BenchCommand::isHelp)) {
      out.println("usage: amb bench " + benchmark.name() + " [OPTION]...");
      out.println("  " + benchmark.summary() + "\n");
      for (Setting<?> p : parameters(benchmark)) {
        out.println("  --%-14s %s (%s)".formatted(p.name(), p.help(), p.rangeAndDefault()));
      }
      return 0;
    }
    if (partitions && PartitionsActions.isOne(options)) {
      options = PartitionsActions.options(options);
    }
    measure(benchmark, BenchmarkRun.parse(parameters(benchmark), options, progress));
    return 0;
  }

  /** Draws the measurements in {@code --file-name}, by default in the working directory. */
  private static int plot(List<String> options) throws Exception {
    List<String> rest = new ArrayList<>(options);
    rest.replaceAll(option -> option.replaceFirst("^--file[_-]name$", "--data-dir"));
    if (!rest.contains("--data-dir")) {
      rest.addAll(0, List.of("--data-dir", "."));
    }
    rest.addAll(0, List.of("--type", Partitions.NAME));
    return new PlotCommand().run(rest);
  }

  private static List<Setting<?>> parameters(Benchmark benchmark) {
    List<Setting<?>> parameters = new ArrayList<>(benchmark.parameters());
    parameters.addAll(COMMON);
    return parameters;
  }

  private static boolean isHelp(String argument) {
    return argument.matches("-h|--help|help");
  }

  private void measure(Benchmark benchmark, BenchmarkRun given) throws Exception {
    benchmark.check(given);
    Path json = writable(given.text(JSON));
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("benchmark", benchmark.name());
    head.put("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    head.put("arguments", given.all());
    Map<String, String> machine = machine();
    head.put("machine", machine);
    Noise noise =
        Noise.watch(
            Duration.ofSeconds(given.get(WAIT_QUIET)),
            () -> given.say("waiting until other processes are quiet"));
    BenchmarkReport report = benchmark.run(given);
    Noise.Verdict verdict = noise.after();
    head.put("noise", verdict.facts());
    out.print(report.text());
    out.println("machine: " + line(machine));
    out.println("noise: " + verdict);
    if (json != null) {
      report.write(json, head);
    }
  }

  /**
   * Creates the file if it is missing: so it is known before a measurement of minutes whether it
   * can be written. Until then, an existing one keeps what it contains.
   */
  private static Path writable(String name) {
    try {
      if (name != null) {
        Files.newOutputStream(Path.of(name), CREATE, APPEND).close();
      }
      return name == null ? null : Path.of(name);
    } catch (IOException e) {
      throw new UsageException("--json: cannot write " + name + ": " + e);
    }
  }

  /** The processor, memory and versions, by name. */
  private static Map<String, String> machine() {
    Map<String, String> facts = new LinkedHashMap<>(RunProvenance.describe());
    facts.put("memory", RunProvenance.field(Path.of("/proc/meminfo"), "MemTotal"));
    return facts;
  }

  private static String line(Map<String, String> facts) {
    return "%s with %s, %s cores, %s; %s; %s; amb %s (%s)"
        .formatted(
            facts.get("processor"),
            facts.get("vector_instructions"),
            facts.get("cores"),
            facts.get("memory"),
            facts.get("java"),
            facts.get("os"),
            facts.get("amb"),
            facts.get("git_commit"));
  }
}
