package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.Layout;

/** Asynchronous SGD with {@link DelayCompensation} of every gradient (DC-ASGD). */
final class DelayCompensatedSgd implements Scheme {
  private static final String ADAPTIVE = "adaptive";
  private static final double CONSTANT_LAMBDA = 0.04;
  private static final double ADAPTIVE_LAMBDA = 2;

  static final SchemeOption<String> MODE =
      SchemeOption.choice(
          "dcasgd-mode", "whether λ is constant or adapts per parameter", "constant", ADAPTIVE);
  static final SchemeOption<Double> LAMBDA =
      SchemeOption.real(
              "dcasgd-lambda",
              null,
              value -> value >= 0 && value < Double.POSITIVE_INFINITY,
              "0 or more",
              "strength of the correction; default 0.04 if constant, 2 if adaptive")
          .optional();
  static final SchemeOption<Double> DECAY =
      SchemeOption.real(
          "dcasgd-decay",
          0.95,
          value -> value >= 0 && value < 1,
          "0 up to less than 1",
          "adaptive: decay of the mean square, m");

  private final BatchPolicy policy;
  private final boolean adaptive;
  private final double lambda;
  private final double decay;

  DelayCompensatedSgd(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
    adaptive = options.get(MODE).equals(ADAPTIVE);
    Double given = options.get(LAMBDA);
    double usual = adaptive ? ADAPTIVE_LAMBDA : CONSTANT_LAMBDA;
    lambda = given == null ? usual : given;
    decay = options.get(DECAY);
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    Layout layout = master.update().layout();
    int workers = communicator.size() - 1;
    DelayCompensation compensation =
        adaptive
            ? DelayCompensation.adaptive(layout, workers, lambda, decay)
            : DelayCompensation.constant(layout, workers, lambda);
    master.state().register("delay-compensation", compensation);
    new AsynchronousMaster(master, communicator, BatchClocks.UNBOUNDED, compensation).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new WaitingWorker(worker, communicator, policy).run();
  }

  /** It corrects a gradient with what has changed since its worker was sent parameters. */
  @Override
  public boolean needsExactParameters() {
    return true;
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
