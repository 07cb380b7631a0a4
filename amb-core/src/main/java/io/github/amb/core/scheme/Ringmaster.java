package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;

/**
 * Ringmaster ASGD: asynchronous SGD that drops gradients whose delay is R updates or more. Of
 * optimal time where all workers have the same data. With unequal shards it favors those of fast
 * workers.
 *
 * <p>{@code w ← w − η gᵢ / bᵢ} with gᵢ at parameters of less than R updates ago. With stops, a
 * worker restarts as soon as its gradient can only be dropped.
 *
 * <p>Maranjyan, Tyurin, Richtárik: "Ringmaster ASGD: The First Asynchronous SGD with Optimal Time
 * Complexity", ICML 2025.
 */
final class Ringmaster extends RestartingScheme {
  static final Setting<Integer> THRESHOLD =
      Setting.integer("delay-threshold", null, 1)
          .help("delay from which on gradients are dropped, R, in updates")
          .mustBeGiven();

  private final int threshold;

  Ringmaster(SchemeOptions options) {
    super(options);
    threshold = options.get(THRESHOLD);
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      master.broadcast(restartAge(threshold)); // w to each worker that is idle, or outdated
      master.receive(threshold - 1L, null); // the next gᵢ of a delay below R
      master.update(); // w ← w − η gᵢ / bᵢ
      master.record();
    }
  }
}
