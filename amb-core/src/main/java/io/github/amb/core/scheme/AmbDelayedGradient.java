package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Anytime Mini-Batch with Delayed Gradients (AMB-DG): workers compute batches of a fixed time T one
 * after the other and never wait; the master updates with gradients of older parameters. The choice
 * where messages take long beside T.
 *
 * <p>{@code w(t+1) = w(t) − η Σ g / Σ b}, over the next K gradient sums g that come, or over those
 * that come in some time, at whichever parameters. A worker continues its batch at newer parameters
 * between partitions, and keeps the sum. Every w(t) is sent to every worker, unless as many sets as
 * {@link io.github.amb.core.engine.Communicator#window} admits are on their way to it: 10, fewer of
 * networks with more than 200,000 parameters, and one at a time from a million on. Workers compute
 * while messages are on their way, but not while their own link transmits one.
 *
 * <p>Al-Lawati and Draper: "Anytime Minibatch with Delayed Gradients", IEEE Transactions on Signal
 * and Information Processing over Networks 7 (2021); "Asynchronous Delayed Optimization with
 * Time-Varying Minibatches", IEEE Journal on Selected Areas in Information Theory 2 (2021).
 */
class AmbDelayedGradient extends BatchScheme {
  private static final String TIME = "time";

  static final Setting<String> MASTER =
      Setting.choice("async-master", "batch", TIME)
          .help("what the master gathers for one update: gradients or time");
  static final Setting<Double> MASTER_TIME_LIMIT =
      Setting.positive("async-master-time-limit", 0.1)
          .in("seconds above 0")
          .help("time: how long the master gathers, at least one gradient");
  static final Setting<Integer> MASTER_BATCH_MIN =
      Setting.integer("async-master-batch-min", 4, 1).help("batch: gradients per update, K");
  static final Setting<Double> DELAY_STD =
      Setting.real("async-delay-std", -1.0)
          .in("seconds; 0 or less for none")
          .help("every receiver holds each message back for |N(0, std)|");

  private final int results;
  private final long masterTime;
  private final double messageDelay;

  AmbDelayedGradient(SchemeOptions options) {
    this(options, AnytimeOptions.policy(options));
  }

  AmbDelayedGradient(SchemeOptions options, BatchPolicy policy) {
    super(policy);
    boolean time = options.get(MASTER).equals(TIME);
    results = time ? Integer.MAX_VALUE : options.get(MASTER_BATCH_MIN);
    masterTime = time ? Clock.nanos(options.get(MASTER_TIME_LIMIT)) : Clock.NEVER;
    messageDelay = options.get(DELAY_STD);
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      master.offer(); // w(t) to each worker
      master.gatherAny(results, masterTime); // K gradient sums, or those of some time
      master.update(); // w(t+1) ← w(t) − η Σ g / Σ b
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    while (worker.takeNewest()) { // w(τ)
      worker.beginNext(batchPolicy().timeLimit()); // g, b ← 0
      do {
        worker.computePartition(); // g ← g + Σ ∇f(w(τ), x), b ← b + B/P
      } while (worker.hasTime() && worker.takeNewest()); // until T is over; w(τ), if it is newer
      worker.send(); // g, b
    }
  }

  /** Between partitions, a worker takes newer parameters. */
  @Override
  public boolean hearsWhileComputing() {
    return batchPolicy().partitions() > 1;
  }

  @Override
  public double messageDelay() {
    return messageDelay;
  }
}
