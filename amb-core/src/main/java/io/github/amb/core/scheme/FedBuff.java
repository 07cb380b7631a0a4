package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Result;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.update.Sgd;

/**
 * Buffered asynchronous aggregation: the master updates with every K changes, whichever workers
 * they come from, and weakens those that began at older parameters. With K and the dispatch equal
 * to the number of workers, and equal numbers of examples, it is {@code fedavg}, bit for bit.
 *
 * <p>{@code w ← w − η 1/K Σ s(τᵢ) Δᵢ, s(τ) = 1/√(1 + τ)}, with τᵢ updates since the w of Δᵢ.
 *
 * <p>What a worker has computed is lost when it dies, and so is what is in the buffer.
 *
 * <p>Nguyen et al.: "Federated Learning with Buffered Asynchronous Aggregation", AISTATS 2022.
 */
final class FedBuff extends FedAvg {
  static final Setting<Integer> BUFFER =
      Setting.integer("buffer-size", 10, 1).help("changes per update, K, from whichever workers");
  static final Setting<Integer> DISPATCH =
      Setting.integer("dispatch", 1, 1)
          .help("idle workers, or all, that the master waits for before it sends them parameters");

  private final int buffer;
  private final int dispatch;

  FedBuff(SchemeOptions options) {
    super(options);
    buffer = options.get(BUFFER);
    dispatch = options.get(DISPATCH);
  }

  /** Weight of a change of {@code staleness} updates ago. */
  static double weight(long staleness) {
    return 1 / Math.sqrt(1 + staleness);
  }

  @Override
  public void master(Master master) {
    OuterUpdate outer = new OuterUpdate(master, new Sgd(), learningRate);
    while (master.nextStep()) {
      int changes = 0;
      while (master.results() < buffer) {
        if (master.idle() >= Math.min(dispatch, master.workers())) {
          master.broadcast(); // w to idle workers
        }
        Result change = master.receiveAny(FedBuff::weight, Clock.NEVER); // the next s(τᵢ) Δᵢ
        changes += change.examples() > 0 ? 1 : 0;
      }
      outer.update(changes); // w ← w − η 1/K Σ s(τᵢ) Δᵢ
      master.record();
    }
  }
}
