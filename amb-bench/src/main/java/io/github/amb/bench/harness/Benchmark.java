package io.github.amb.bench.harness;

import java.util.List;

/** Something that {@code amb bench} can measure. */
public interface Benchmark {
  /** What the user types after {@code amb bench}. */
  String name();

  /** One line for help. */
  String summary();

  /** Its options, in the order for help. */
  List<Parameter> parameters();

  /**
   * Measures.
   *
   * @throws io.github.amb.core.command.UsageException if the arguments are wrong together
   * @throws Exception if it cannot be measured
   */
  Report run(Arguments given, Progress progress) throws Exception;
}
