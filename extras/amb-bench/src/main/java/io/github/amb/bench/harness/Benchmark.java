package io.github.amb.bench.harness;

import io.github.amb.core.option.Setting;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import java.util.List;

/** Something that {@code amb bench} can measure. */
public abstract class Benchmark implements Registry.Entry {
  private final Description description;
  private final List<Setting<?>> parameters;

  /**
   * A benchmark that the user types as {@code name}.
   *
   * @param parameters its options, in the order for help
   */
  protected Benchmark(String name, String summary, List<Setting<?>> parameters) {
    description = Description.of(name, summary);
    this.parameters = parameters;
  }

  @Override
  public final Description description() {
    return description;
  }

  /** Its options, in the order for help. */
  public final List<Setting<?>> parameters() {
    return parameters;
  }

  /**
   * Checks what can be checked before it measures, or waits for other processes to be quiet.
   *
   * @throws io.github.amb.core.option.UsageException if the arguments are wrong together, or this
   *     machine cannot measure it
   */
  public void check(BenchmarkRun given) {}

  /**
   * Measures.
   *
   * @param given options that have passed {@link #check}
   * @throws Exception if it cannot be measured
   */
  public abstract BenchmarkReport run(BenchmarkRun given) throws Exception;
}
