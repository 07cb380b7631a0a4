package io.github.amb.bench;

import io.github.amb.runtime.train.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a benchmark ran on: processor, memory and versions. */
final class Machine {
  private static final String UNKNOWN = "unknown";

  private Machine() {}

  /** All facts by name. */
  static Map<String, String> describe() {
    Map<String, String> facts = new LinkedHashMap<>(Environment.describe());
    facts.put("processor", field(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("memory", field(Path.of("/proc/meminfo"), "MemTotal"));
    return facts;
  }

  /** The most telling facts. */
  static String line() {
    Map<String, String> facts = describe();
    return "%s, %s cores, %s; %s; %s; amb %s (%s)"
        .formatted(
            facts.get("processor"),
            facts.get("cores"),
            facts.get("memory"),
            facts.get("java"),
            facts.get("os"),
            facts.get("amb"),
            facts.get("git_commit"));
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
