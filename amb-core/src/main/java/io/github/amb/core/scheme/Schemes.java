package io.github.amb.core.scheme;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The schemes by name. To add one, add a class and a line here. */
public final class Schemes {
  private static final Registry<Entry> ALL =
      new Registry<>(
          "scheme",
          List.of(
              new Entry("fmb", "wait for every worker's whole batch", FixedMiniBatch::new),
              new Entry("sync", "another name of fmb", FixedMiniBatch::new),
              new Entry(
                  "amb",
                  "the same time for every worker",
                  AnytimeMiniBatch::new,
                  Schemes::ambProblems)));

  private Schemes() {}

  /**
   * A scheme that a user can name.
   *
   * @param name what the user types
   * @param summary one line for help
   * @param factory makes the scheme from options that have no problems
   * @param check says what is wrong with options for this scheme, in lines; empty if nothing is
   */
  public record Entry(
      String name,
      String summary,
      Function<SchemeOptions, Scheme> factory,
      Function<SchemeOptions, List<String>> check)
      implements Registry.Entry {
    Entry(String name, String summary, Function<SchemeOptions, Scheme> factory) {
      this(name, summary, factory, options -> List.of());
    }

    /**
     * The scheme with these options.
     *
     * @throws UsageException naming everything that is wrong with them
     */
    public Scheme create(SchemeOptions options) {
      List<String> problems = check.apply(options);
      if (!problems.isEmpty()) {
        throw new UsageException(problems);
      }
      return factory.apply(options);
    }
  }

  /** All schemes, by name. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /**
   * The scheme called {@code name}.
   *
   * @throws UsageException if there is none
   */
  public static Entry named(String name) {
    return ALL.named(name);
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
