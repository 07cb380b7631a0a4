package io.github.amb.bench.harness;

import io.github.amb.core.command.Setting;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import java.util.List;

/** Something that {@code amb bench} can measure. */
public abstract class Benchmark implements Registry.Entry {
  private final Description description;

  /** A benchmark that the user types as {@code name}. */
  protected Benchmark(String name, String summary) {
    description = Description.of(name, summary);
  }

  @Override
  public final Description description() {
    return description;
  }

  /** Its options, in the order for help. */
  public abstract List<Setting<?>> parameters();

  /**
   * Checks what can be checked before it measures, or waits for other processes to be quiet.
   *
   * @throws io.github.amb.core.command.UsageException if the arguments are wrong together, or this
   *     machine cannot measure it
   */
  public void check(BenchmarkOptions given) {}

  /**
   * Measures.
   *
   * @param given options that have passed {@link #check}
   * @throws Exception if it cannot be measured
   */
  public abstract BenchmarkReport run(BenchmarkOptions given, BenchmarkProgress progress)
      throws Exception;
}
