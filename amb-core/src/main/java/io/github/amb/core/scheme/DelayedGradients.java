package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;

/**
 * Anytime Mini-Batch with Delayed Gradients (AMB-DG): workers compute epochs of a fixed time T one
 * after the other and never wait; the master updates with gradients of older parameters. With a
 * fixed batch in place of a fixed time it is K-batch asynchronous SGD.
 *
 * <p>The master gathers a number of gradients ({@code batch}) or for some time ({@code time}).
 *
 * <p>Al-Lawati and Draper: "Anytime Minibatch with Delayed Gradients", IEEE Transactions on Signal
 * and Information Processing over Networks 7 (2021); "Asynchronous Delayed Optimization with
 * Time-Varying Minibatches", IEEE Journal on Selected Areas in Information Theory 2 (2021).
 */
final class DelayedGradients implements Scheme {
  private static final String TIME = "time";

  static final SchemeOption<String> MASTER =
      SchemeOption.choice(
          "async-master",
          "what the master gathers for one update: gradients or time",
          "batch",
          TIME);
  static final SchemeOption<Double> MASTER_TIME_LIMIT =
      SchemeOption.real(
          "async-master-time-limit",
          0.1,
          value -> value > 0 && value < Double.POSITIVE_INFINITY,
          "seconds above 0",
          "time: how long the master gathers, at least one gradient");
  static final SchemeOption<Integer> MASTER_BATCH_MIN =
      SchemeOption.integer("async-master-batch-min", 4, 1, "batch: gradients per update, K");
  static final SchemeOption<Double> DELAY_STD =
      SchemeOption.real(
          "async-delay-std",
          -1.0,
          value -> value < Double.POSITIVE_INFINITY,
          "seconds; 0 or less for none",
          "every receiver holds each message back for |N(0, std)|");

  private final BatchPolicy policy;
  private final DelayedMaster.CollectRule rule;
  private final double delayStd;

  private DelayedGradients(SchemeOptions options, BatchPolicy policy) {
    this.policy = policy;
    rule =
        options.get(MASTER).equals(TIME)
            ? new DelayedMaster.CollectRule(
                Integer.MAX_VALUE, Clock.nanos(options.get(MASTER_TIME_LIMIT)))
            : new DelayedMaster.CollectRule(options.get(MASTER_BATCH_MIN), Clock.NEVER);
    delayStd = options.get(DELAY_STD);
  }

  /** Workers that compute for a fixed time. */
  static DelayedGradients fixedTime(SchemeOptions options) {
    return new DelayedGradients(options, AnytimeMiniBatch.policy(options));
  }

  /** Workers that compute whole batches. */
  static DelayedGradients fixedBatch(SchemeOptions options) {
    return new DelayedGradients(options, BatchPolicy.fixed(options.batchSize()));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    new DelayedMaster(master, communicator, rule, delayStd).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new DelayedWorker(worker, communicator, policy, delayStd).run();
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
