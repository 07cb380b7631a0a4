package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.update.Sgd;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * ESync: workers iterate locally until the slowest one has done one iteration, and push what
 * changed; a {@link StateServer} at the master tells them how often. A worker that is told to push
 * while it iterates gives the iteration up and takes its batch again in the next round.
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

  static final SchemeOption<Integer> PARTITIONS =
      SchemeOption.integer(
          "esync-partitions",
          1,
          1,
          "slices per local batch, after each of which it can be given up; at most the batch size");

  private final BatchPolicy policy;
  private final SchemeOptions options;

  ESync(SchemeOptions options) {
    policy = new BatchPolicy(options.batchSize(), options.get(PARTITIONS), Clock.NEVER);
    this.options = options;
  }

  static List<String> problems(SchemeOptions options) {
    return options.get(PARTITIONS) <= options.batchSize()
        ? List.of()
        : List.of(
            "--esync-partitions: expected 1 to %d (the batch size), found %d"
                .formatted(options.batchSize(), options.get(PARTITIONS)));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    StateServer.Margin margin =
        new StateServer.Margin(options.get(EPSILON), options.get(EPSILON_SECONDS));
    StateServer server =
        new StateServer(communicator, master.clock(), margin, options.get(SMOOTHING));
    master.state().register("state-server", server);
    Weighting weighting =
        options.get(WEIGHTING).equals("steps") ? Weighting.STEPS : Weighting.UNIFORM;
    Double given = options.get(LocalUpdates.OUTER_LEARNING_RATE);
    int workers = communicator.size() - 1;
    OuterUpdate update =
        new OuterUpdate(master, workers, new Sgd(), given == null ? 1 : given, weighting);
    new SynchronousMaster(master, communicator, Round.ofDeltas(update, server)).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    Assigned assigned = new Assigned(worker.clock(), communicator);
    new LocalWorker(worker, communicator, policy, assigned).run();
  }

  @Override
  public Uplink uplink() {
    return Uplink.CHANGES;
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }

  /** As many iterations as the state server assigns, which hears of each. */
  private static final class Assigned implements LocalIterations, Refresh {
    private final Clock clock;
    private final Communicator communicator;
    private final Frame report = new Frame();
    private final Frame advice = new Frame();
    private long step;
    private long assignedStep;
    private int assigned;
    private int done;
    private long since;

    Assigned(Clock clock, Communicator communicator) {
      this.clock = clock;
      this.communicator = communicator;
    }

    @Override
    public void begin(long step) {
      this.step = step;
      done = 0;
      since = clock.now();
    }

    @Override
    public void advised(Frame advice) {
      assignedStep = advice.step();
      assigned = (int) advice.stat(StateServer.ITERATIONS);
    }

    @Override
    public boolean goOn(int done) {
      this.done = done;
      long now = clock.now();
      report.reset(Frame.Kind.QUERY, step);
      report.stat(StateServer.ITERATIONS, done);
      report.stat(StateServer.COMPUTE_TIME, Clock.seconds(since, now));
      communicator.send(Communicator.MASTER, report, Clock.NEVER);
      since = now;
      listen();
      return !stopped();
    }

    private void listen() {
      while (communicator.receive(Communicator.MASTER, advice, clock.now())) {
        advised(advice);
      }
    }

    @Override
    public Refresh refresh() {
      return this;
    }

    @Override
    public FloatBuffer newer() {
      listen();
      return null;
    }

    /** Until told otherwise, go on; the first iteration is always done. */
    @Override
    public boolean stopped() {
      return done > 0 && assignedStep == step && done >= assigned;
    }
  }
}
