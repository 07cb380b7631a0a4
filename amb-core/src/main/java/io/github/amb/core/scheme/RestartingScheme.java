package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.option.Setting;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Worker;
import java.util.List;
import java.util.function.Function;

/**
 * A scheme whose master uses no gradient that is too old. A worker that computes one finishes it,
 * and it is dropped; or the worker abandons it and begins again at the newest parameters. Then a
 * worker that dies loses its gradient, and nothing else.
 */
abstract class RestartingScheme extends Async {
  private static final String RESTART = "restart";

  static final Setting<String> OUTDATED =
      Setting.choice("outdated", "finish", RESTART)
          .help("whether workers finish gradients that are too old, or restart at once");
  static final Setting<Integer> PARTITIONS =
      Setting.integer("restart-partitions", 1, 1)
          .help("slices per batch, before each of which a worker can restart; at most the batch");

  private final boolean restarts;

  RestartingScheme(SchemeOptions options) {
    super(options, new BatchPolicy(options.batchSize(), options.get(PARTITIONS), Clock.NEVER));
    restarts = options.get(OUTDATED).equals(RESTART);
  }

  /**
   * A scheme of this kind.
   *
   * @param own its own option
   */
  static Schemes.Entry entry(
      Description description, Function<SchemeOptions, Scheme> factory, Setting<?> own) {
    return new Schemes.Entry(
        description,
        factory,
        options -> AnytimeOptions.partitionProblems(options, PARTITIONS),
        List.of(own, OUTDATED, PARTITIONS));
  }

  /** The age of parameters at which a worker restarts, for which none counts any longer. */
  final long restartAge(long age) {
    return restarts ? age : Long.MAX_VALUE;
  }

  @Override
  public final void worker(Worker worker) {
    if (restarts) {
      worker.restartWhenRenewed(); // gᵢ is abandoned when newer w come
    } else {
      worker.numberBatches(); // Several may be of one step.
    }
    super.worker(worker);
  }

  /** While it computes, a worker takes newer parameters. */
  @Override
  public final boolean hearsWhileComputing() {
    return restarts;
  }
}
