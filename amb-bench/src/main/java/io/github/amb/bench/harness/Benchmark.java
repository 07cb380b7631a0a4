package io.github.amb.bench.harness;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import java.util.List;

/** Something that {@code amb bench} can measure. */
public interface Benchmark extends Registry.Entry {
  @Override
  String name();

  @Override
  String summary();

  @Override
  default Description description() {
    return Description.of(name(), summary());
  }

  /** Its options, in the order for help. */
  List<Parameter> parameters();

  /**
   * Checks what can be checked before it measures, or waits for other processes to be quiet.
   *
   * @throws io.github.amb.core.command.UsageException if the arguments are wrong together, or this
   *     machine cannot measure it
   */
  default void check(BenchmarkOptions given) {}

  /**
   * Measures.
   *
   * @param given options that have passed {@link #check}
   * @throws Exception if it cannot be measured
   */
  BenchmarkReport run(BenchmarkOptions given, BenchmarkProgress progress) throws Exception;
}
