package io.github.amb.bench;

import io.github.amb.bench.harness.Arguments;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.JsonReport;
import io.github.amb.bench.harness.Noise;
import io.github.amb.bench.harness.Parameter;
import io.github.amb.bench.harness.Progress;
import io.github.amb.bench.harness.Report;
import io.github.amb.bench.harness.TextReport;
import io.github.amb.core.command.Command;
import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code amb bench}: measures one thing, prints a table, and how quiet the machine was. */
public final class BenchCommand implements Command {
  private static final Parameter JSON =
      Parameter.text("json", null, "a file", "also write the results there, as JSON");

  private final PrintStream out;
  private final PrintStream progress;

  /** Prints to standard output, progress to standard error. */
  public BenchCommand() {
    this(System.out, System.err);
  }

  BenchCommand(PrintStream out, PrintStream progress) {
    this.out = out;
    this.progress = progress;
  }

  @Override
  public String name() {
    return "bench";
  }

  @Override
  public String summary() {
    return "measure speed, memory and overhead on this machine";
  }

  @Override
  public int run(List<String> arguments) throws Exception {
    if (arguments.isEmpty() || isHelp(arguments.get(0))) {
      out.print(BenchHelp.list(Benchmarks.all().all()));
      return 0;
    }
    Benchmark benchmark = Benchmarks.all().named(arguments.get(0));
    List<Parameter> parameters = new ArrayList<>(benchmark.parameters());
    parameters.add(JSON);
    List<String> options = arguments.subList(1, arguments.size());
    if (options.stream().anyMatch(BenchCommand::isHelp)) {
      out.print(BenchHelp.of(benchmark, parameters));
      return 0;
    }
    measure(benchmark, Arguments.parse(parameters, options));
    return 0;
  }

  private static boolean isHelp(String argument) {
    return argument.matches("-h|--help|help");
  }

  private void measure(Benchmark benchmark, Arguments given) throws Exception {
    Path file = given.text(JSON) == null ? null : writable(Path.of(given.text(JSON)));
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("benchmark", benchmark.name());
    head.put("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    head.put("arguments", given.all());
    head.put("machine", Machine.describe());
    Noise noise = new Noise();
    Report report = benchmark.run(given, new Progress(progress));
    Noise.Verdict verdict = noise.after();
    head.put("noise", verdict.facts());
    out.print(TextReport.of(report));
    out.println("machine: " + Machine.line());
    out.println("noise: " + verdict);
    if (file != null) {
      Files.writeString(file, JsonReport.of(head, report));
    }
  }

  /** Found out before measuring for minutes. */
  private static Path writable(Path file) {
    try {
      Files.writeString(file, "");
      return file;
    } catch (IOException e) {
      throw new UsageException("--json: cannot write " + file + ": " + e);
    }
  }
}
