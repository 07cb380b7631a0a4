package io.github.amb.bench;

import io.github.amb.runtime.train.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What a benchmark ran on: processor, memory and versions. */
final class Machine {
  private static final String UNKNOWN = "unknown";

  /** Flags of {@code /proc/cpuinfo} and their names, widest first. */
  private static final List<Map.Entry<String, String>> KINDS =
      List.of(
          Map.entry("avx512f", "AVX-512"),
          Map.entry("avx2", "AVX2"),
          Map.entry("sse4_1", "SSE4.1"),
          Map.entry("asimd", "NEON"));

  private Machine() {}

  /** All facts by name. */
  static Map<String, String> describe() {
    Map<String, String> facts = new LinkedHashMap<>(Environment.describe());
    facts.put("processor", field(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("vector_instructions", vectorInstructions());
    facts.put("memory", field(Path.of("/proc/meminfo"), "MemTotal"));
    return facts;
  }

  /** The most telling facts. */
  static String line() {
    Map<String, String> facts = describe();
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

  /** The widest kind that the processor has and numerical libraries choose their code by. */
  private static String vectorInstructions() {
    Set<String> flags = Set.copyOf(List.of(field(Path.of("/proc/cpuinfo"), "flags").split(" ")));
    return KINDS.stream()
        .filter(kind -> flags.contains(kind.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(UNKNOWN);
  }

  /** The first {@code name : value} of a file of the proc file system; elsewhere unknown. */
  private static String field(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
