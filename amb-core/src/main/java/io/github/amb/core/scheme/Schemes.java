package io.github.amb.core.scheme;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The schemes by name. Adding one is one line here. */
public final class Schemes {
  /** How a scheme is made, and what is wrong with options for it. */
  private record Entry(
      String summary,
      Function<SchemeOptions, Scheme> factory,
      Function<SchemeOptions, List<String>> problems) {}

  private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();

  static {
    add("fmb", "fixed mini-batch: wait for every worker", FixedMiniBatch::new, o -> List.of());
    add(
        "amb",
        "anytime mini-batch: same time for all",
        AnytimeMiniBatch::new,
        Schemes::ambProblems);
    ENTRIES.put("sync", ENTRIES.get("fmb"));
  }

  private Schemes() {}

  private static void add(
      String name,
      String summary,
      Function<SchemeOptions, Scheme> factory,
      Function<SchemeOptions, List<String>> problems) {
    ENTRIES.put(name, new Entry(summary, factory, problems));
  }

  /** Names of all schemes. */
  public static Set<String> names() {
    return ENTRIES.keySet();
  }

  /** One line on what a scheme does. */
  public static String summary(String name) {
    return entry(name).summary();
  }

  /** What is wrong with these options for scheme {@code name}; empty if nothing is. */
  public static List<String> problems(String name, SchemeOptions options) {
    return ENTRIES.containsKey(name)
        ? entry(name).problems().apply(options)
        : List.of(unknown(name));
  }

  /**
   * Makes a scheme.
   *
   * @throws UsageException if the name is unknown or the options do not fit
   */
  public static Scheme create(String name, SchemeOptions options) {
    List<String> problems = problems(name, options);
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return entry(name).factory().apply(options);
  }

  private static Entry entry(String name) {
    Entry entry = ENTRIES.get(name);
    if (entry == null) {
      throw new UsageException(unknown(name));
    }
    return entry;
  }

  private static String unknown(String name) {
    return "unknown scheme '" + name + "'" + Suggestion.forName(name, names());
  }

  private static List<String> ambProblems(SchemeOptions options) {
    List<String> problems = new ArrayList<>();
    if (options.ambTimeLimit() == null) {
      problems.add(
          "scheme amb: expected --amb-time-limit SECONDS (how long each worker computes per step),"
              + " found none");
    } else if (!(options.ambTimeLimit() > 0)) {
      problems.add("--amb-time-limit: expected seconds above 0, found " + options.ambTimeLimit());
    }
    if (options.ambNumPartitions() == null) {
      problems.add(
          "scheme amb: expected --amb-num-partitions P (slices per batch, 1 to the batch size),"
              + " found none");
    } else if (options.ambNumPartitions() < 1 || options.ambNumPartitions() > options.batchSize()) {
      problems.add(
          "--amb-num-partitions: expected 1 to %d (the batch size), found %d"
              .formatted(options.batchSize(), options.ambNumPartitions()));
    }
    return problems;
  }
}
