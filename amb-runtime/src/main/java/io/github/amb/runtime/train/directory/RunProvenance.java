package io.github.amb.runtime.train.directory;

import io.github.amb.core.file.Reading;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.lock.BootIdentity;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/** What a run ran on: versions of the program and of Java, host, processor. */
public final class RunProvenance {
  private static final Path CPU = Path.of("/proc/cpuinfo");
  private static final String UNKNOWN = "unknown";

  /** Flags in {@code /proc/cpuinfo} and the names of their vector instructions, widest first. */
  private static final List<Map.Entry<String, String>> KINDS =
      List.of(
          Map.entry("avx512f", "AVX-512"),
          Map.entry("avx2", "AVX2"),
          Map.entry("sse4_1", "SSE4.1"),
          Map.entry("asimd", "NEON"));

  /** Name of the fact with how many threads the run computes. */
  static final String THREADS = "omp_num_threads";

  private RunProvenance() {}

  /** All facts by name. */
  public static Map<String, String> describe() {
    Map<String, String> facts = new LinkedHashMap<>();
    Properties build =
        Reading.properties(
            () ->
                RunProvenance.class.getResourceAsStream("/io/github/amb/runtime/build.properties"));
    facts.put("amb", build.getProperty("version", UNKNOWN));
    facts.put("git_commit", build.getProperty("commit", UNKNOWN));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("arch", System.getProperty("os.arch"));
    facts.put("processor", field(CPU, "model name"));
    facts.put("vector_instructions", vectorInstructions());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.putAll(threads());
    facts.put("host", BootIdentity.HOST);
    facts.putAll(PluginLoader.describe());
    return facts;
  }

  /** The threads with which this process computes, which the launcher sets for its ranks. */
  static Map<String, String> threads() {
    return Map.of(THREADS, Objects.toString(System.getenv("OMP_NUM_THREADS"), "unset"));
  }

  /**
   * Why bits that this process computes depend on the machine's cores; empty if they do not.
   *
   * @param found value of {@code OMP_NUM_THREADS}, or null
   */
  public static Optional<String> threadsProblem(String found) {
    return "1".equals(found)
        ? Optional.empty()
        : Optional.of(
            "expected OMP_NUM_THREADS=1 in the environment, found %s: bits depend on the number of threads; set it before Java starts"
                .formatted(found == null ? "none" : found));
  }

  /** A line for each plugin of this process that has changed since a run began. */
  public static List<String> changedPlugins(RunInfo run) {
    return changedPlugins(run, PluginLoader.describe());
  }

  static List<String> changedPlugins(RunInfo run, Map<String, String> now) {
    return now.entrySet().stream()
        .filter(
            plugin ->
                !plugin
                    .getValue()
                    .equals(run.environment().getOrDefault(plugin.getKey(), plugin.getValue())))
        .map(plugin -> plugin.getKey() + " has changed since the run began")
        .toList();
  }

  /**
   * The widest vector instructions of the processor, by which numerical libraries choose their
   * code.
   */
  private static String vectorInstructions() {
    Set<String> flags = Set.copyOf(List.of(field(CPU, "flags").split(" ")));
    return KINDS.stream()
        .filter(kind -> flags.contains(kind.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(UNKNOWN);
  }

  /**
   * The first {@code name : value} in a file of the proc file system; "unknown" on other systems.
   */
  public static String field(Path file, String name) {
    return Reading.after(name, file)
        .map(rest -> rest.substring(rest.indexOf(':') + 1).strip())
        .orElse(UNKNOWN);
  }
}
