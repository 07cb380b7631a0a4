package io.github.amb.bench;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.core.command.Setting;
import java.util.List;

/** Help of {@code amb bench}. */
final class BenchHelp {
  private BenchHelp() {}

  /** All benchmarks, one line each. */
  static String list(List<Benchmark> benchmarks) {
    StringBuilder help = new StringBuilder("usage: amb bench NAME [OPTION]...\n\n");
    benchmarks.forEach(b -> help.append("  %-11s %s%n".formatted(b.name(), b.summary())));
    return help.append("\n  amb bench NAME --help lists the options.\n").toString();
  }

  /** One benchmark's options, with ranges and defaults. */
  static String of(Benchmark benchmark, List<Setting<?>> parameters) {
    StringBuilder help = new StringBuilder();
    help.append("usage: amb bench %s [OPTION]...%n".formatted(benchmark.name()));
    help.append("  ").append(benchmark.summary()).append("\n\n");
    for (Setting<?> parameter : parameters) {
      help.append(
          "  --%-14s %s (%s)%n"
              .formatted(parameter.name(), parameter.help(), parameter.rangeAndDefault()));
    }
    return help.toString();
  }
}
