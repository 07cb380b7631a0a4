package io.github.amb.bench;

import io.github.amb.runtime.train.directory.RunProvenance;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine of a benchmark: processor, memory and versions. */
final class BenchMachine {
  private BenchMachine() {}

  /** All facts by name. */
  static Map<String, String> describe() {
    Map<String, String> facts = new LinkedHashMap<>(RunProvenance.describe());
    facts.put("memory", RunProvenance.field(Path.of("/proc/meminfo"), "MemTotal"));
    return facts;
  }

  /** The most important facts in one line. */
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
}
