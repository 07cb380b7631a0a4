package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.scheme.context.Master;

/**
 * Delay-adaptive asynchronous SGD: as {@code async}, with a learning rate that falls with the delay
 * of the gradient, so that one very slow worker does not dictate a small rate for all.
 *
 * <p>{@code w ← w − η n / max(n, δ) gᵢ / bᵢ}, with δ updates since the parameters of gᵢ.
 *
 * <p>Mishchenko, Bach, Even, Woodworth: "Asynchronous SGD Beats Minibatch SGD Under Arbitrary
 * Delays", NeurIPS 2022; Koloskova, Stich, Jaggi: "Sharper Convergence Guarantees for Asynchronous
 * SGD for Distributed and Federated Learning", NeurIPS 2022.
 */
final class DelayAdaptive extends Async {
  DelayAdaptive(SchemeOptions options) {
    super(options);
  }

  @Override
  public void master(Master master) {
    double n = master.workers();
    while (master.nextStep()) {
      master.broadcast(); // w to the worker that has just sent its gradient; at first to all
      Result gradient = master.receiveAny(); // the next gᵢ, however old
      master.scaleRate(n / Math.max(n, master.step() - gradient.message().step()));
      master.update(); // w ← w − η n / max(n, δ) gᵢ / bᵢ
      master.record();
    }
  }
}
