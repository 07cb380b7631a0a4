package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Anytime Mini-Batch (AMB): every worker computes for the same time T, an induced delay included,
 * and sends the gradient sum over the examples it managed, at least one partition. The choice where
 * workers differ in speed from step to step.
 *
 * <p>{@code w(t+1) = w(t) − η Σᵢ gᵢ(t) / Σᵢ bᵢ(t)}, where worker i has computed gᵢ(t), the sum of
 * bᵢ(t) gradients at w(t), in the time T.
 *
 * <p>MindFlayer SGD (Maranjyan et al., ICLR 2025 submission) is this scheme with η / (1 − p) for
 * workers that have nothing at the time T with probability p, and with partitions of one example.
 *
 * <p>Ferdinand, Al-Lawati, Draper, Nokleby: "Anytime Minibatch: Exploiting Stragglers in Online
 * Distributed Optimization", ICLR 2019; here with a master in place of consensus, as in Ferdinand
 * and Draper: "Anytime Stochastic Gradient Descent: A Time to Hear from all the Workers", Allerton
 * 2018.
 */
final class AnytimeMiniBatch extends BatchScheme {
  static final Setting<Double> MISSED =
      Setting.share("amb-missed", 0.0)
          .help("share of workers with nothing at T, p; with workers the rate is divided by 1-p");

  private final boolean auto;
  private final boolean accuracy;
  private final double factor;

  AnytimeMiniBatch(SchemeOptions options) {
    super(AnytimeOptions.policy(options));
    double limit = options.get(AnytimeOptions.TIME_LIMIT);
    auto = AnytimeOptions.isAuto(limit);
    accuracy = limit == AnytimeOptions.AUTO_ACCURACY;
    factor = 1 / (1 - options.get(MISSED));
  }

  @Override
  public boolean sumsGradients() {
    return !accuracy; // Else the master needs the gradient of each worker.
  }

  @Override
  public void master(Master master) {
    AdaptiveTimeLimit best = auto ? adaptive(master) : null;
    NoiseScale noise = accuracy ? noise(master) : null;
    while (master.nextStep()) {
      if (auto) {
        double limit = best.next(); // T
        master.timeLimit(limit); // with w
        master.log("time_limit", limit);
      }
      master.broadcast(); // w(t) to all
      Gathering results = master.gather(master.workers()); // gᵢ(t), bᵢ(t) of each
      if (accuracy) {
        noise.observe(results);
        best.noise(noise.examples());
        master.log("noise_scale", noise.examples());
      }
      master.scaleRate(factor); // MindFlayer's; 1 unless asked for
      master.update(); // w(t+1) ← w(t) − η Σ gᵢ(t) / Σ bᵢ(t)
      if (auto) {
        best.observe(results, master.stepTime());
      }
      master.record();
    }
  }

  private AdaptiveTimeLimit adaptive(Master master) {
    AdaptiveTimeLimit best = new AdaptiveTimeLimit(master.workers(), batchPolicy());
    master.context().state().register("time-limit", best);
    return best;
  }

  private static NoiseScale noise(Master master) {
    NoiseScale noise = new NoiseScale(master.context().update().layout());
    master.context().state().register("noise-scale", noise);
    return noise;
  }

  @Override
  public void worker(Worker worker) {
    long fixed = batchPolicy().timeLimit();
    while (worker.receive()) { // w(t)
      worker.begin(worker.step(), auto ? worker.timeLimit() : fixed); // gᵢ, bᵢ ← 0
      do {
        worker.computePartition(); // gᵢ ← gᵢ + Σ ∇f(w(t), x), bᵢ ← bᵢ + B/P
      } while (worker.hasTime()); // until T is over
      worker.send(); // gᵢ(t), bᵢ(t)
    }
  }
}
