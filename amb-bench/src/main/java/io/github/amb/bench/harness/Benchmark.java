package io.github.amb.bench.harness;

import io.github.amb.core.command.Registry;
import java.util.List;

/** Something that {@code amb bench} can measure. */
public interface Benchmark extends Registry.Entry {
  /** Its options, in the order for help. */
  List<Parameter> parameters();

  /**
   * Measures.
   *
   * @throws io.github.amb.core.command.UsageException if the arguments are wrong together
   * @throws Exception if it cannot be measured
   */
  BenchmarkReport run(BenchmarkOptions given, BenchmarkProgress progress) throws Exception;
}
