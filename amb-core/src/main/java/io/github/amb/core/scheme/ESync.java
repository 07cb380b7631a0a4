package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.update.Sgd;

/**
 * ESync: workers iterate locally until the slowest one has done one iteration, and push what
 * changed; a {@link StateServer} at the master tells them how often.
 */
final class ESync implements Scheme {
  static final SchemeOption<Double> EPSILON =
      SchemeOption.real(
          "esync-epsilon",
          0.05,
          value -> value >= 0 && value < Double.POSITIVE_INFINITY,
          "0 or more",
          "margin before the slowest worker's end, in iterations of the worker that asks");
  static final SchemeOption<Double> EPSILON_SECONDS =
      SchemeOption.real(
          "esync-epsilon-seconds",
          0.0,
          value -> value >= 0 && value < Double.POSITIVE_INFINITY,
          "seconds, 0 or more",
          "the same in seconds, added; ESync's own program has 0.5");
  static final SchemeOption<Double> SMOOTHING =
      SchemeOption.real(
          "esync-smoothing",
          0.5,
          value -> value > 0 && value <= 1,
          "above 0, up to 1",
          "weight of the newest compute time against those before it; 1 for no smoothing");
  static final SchemeOption<String> WEIGHTING =
      SchemeOption.choice(
          "esync-weighting",
          "changes count the same, or per local step (FedNova)",
          "uniform",
          "steps");

  private final BatchPolicy policy;
  private final SchemeOptions options;

  ESync(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
    this.options = options;
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    StateServer server =
        new StateServer(
            communicator.size() - 1,
            options.get(EPSILON),
            options.get(EPSILON_SECONDS),
            options.get(SMOOTHING));
    Weighting weighting =
        options.get(WEIGHTING).equals("steps") ? Weighting.STEPS : Weighting.UNIFORM;
    Double given = options.get(LocalUpdates.OUTER_LEARNING_RATE);
    double rate = given == null ? 1 : given;
    new LocalMaster(master, communicator, new Sgd(), rate, weighting, server).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    Assigned assigned = new Assigned(worker.clock(), communicator);
    new LocalWorker(worker, communicator, policy, assigned).run();
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }

  /** As many iterations as the state server assigns; it is asked after the first of a round. */
  private static final class Assigned implements LocalIterations {
    private final Clock clock;
    private final Communicator communicator;
    private final Frame frame = new Frame();
    private long since;
    private int asked;
    private int until;

    Assigned(Clock clock, Communicator communicator) {
      this.clock = clock;
      this.communicator = communicator;
    }

    @Override
    public void begin() {
      since = clock.now();
      asked = 0;
      until = 0;
    }

    @Override
    public boolean goOn(int done) {
      if (done < until) {
        return true;
      }
      frame.reset(Frame.Kind.QUERY, 0);
      frame.stat(StateServer.COMPUTE_TIME, Clock.seconds(since, clock.now()) / (done - asked));
      communicator.send(Communicator.MASTER, frame, Clock.NEVER);
      communicator.receive(Communicator.MASTER, frame, Clock.NEVER);
      asked = done;
      until = done + (int) frame.stat(StateServer.ITERATIONS);
      since = clock.now();
      return done < until;
    }
  }
}
