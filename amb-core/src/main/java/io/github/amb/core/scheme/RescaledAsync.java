package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.scheme.context.Master;
import java.util.Arrays;

/**
 * Rescaled asynchronous SGD: as {@code async}, with a learning rate in proportion to the time that
 * the worker takes per gradient, so that slow workers move the parameters as far as fast ones.
 * Without it, {@code async} weights worker i's data by its speed.
 *
 * <p>{@code w ← w − η n τᵢ / Σ τ gᵢ / bᵢ}, where τᵢ is the mean time from one gradient of worker i
 * to its next. A worker that has not sent one yet counts as long as the longest that others have
 * worked.
 *
 * <p>"Rescaled Asynchronous SGD", arXiv 2605.13434, 2026; the normalization is ours.
 */
final class RescaledAsync extends Async {
  RescaledAsync(SchemeOptions options) {
    super(options);
  }

  @Override
  public void master(Master master) {
    double[] seconds = new double[master.workers()];
    double[] counts = new double[master.workers()];
    master.context().state().register("seconds", state -> state.doubles("all", seconds));
    master.context().state().register("counts", state -> state.doubles("all", counts));
    while (master.nextStep()) {
      master.broadcast(); // w to the worker that has just sent its gradient; at first to all
      Result gradient = master.receiveAny(); // the next gᵢ, however old
      master.scaleRate(share(gradient, seconds, counts)); // n τᵢ / Σ τ
      master.update(); // w ← w − η n τᵢ / Σ τ gᵢ / bᵢ
      master.record();
    }
  }

  /**
   * Counts a gradient.
   *
   * @param seconds that each worker has taken for its gradients; modified
   * @param counts of each worker's gradients; modified
   * @return its worker's mean time by the mean of all workers'
   */
  private static double share(Result gradient, double[] seconds, double[] counts) {
    int worker = gradient.source() - 1;
    double waited = gradient.lastSend() + gradient.lastReceive() + gradient.lastExit();
    seconds[worker] += gradient.computeTime() + Math.max(0, waited); // All are −1 at first.
    counts[worker]++;
    double longest = Arrays.stream(seconds).max().getAsDouble();
    double sum = 0;
    for (int i = 0; i < seconds.length; i++) {
      sum += counts[i] > 0 ? seconds[i] / counts[i] : longest;
    }
    return sum > 0 ? seconds.length * seconds[worker] / counts[worker] / sum : 1;
  }
}
