package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.LocalModel;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.Sgd;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * ESync: workers iterate locally until the slowest one has done one iteration, and push what
 * changed; a {@link StateServer} at the master tells them how often. A worker that is told to push
 * while it iterates gives the iteration up and takes its batch again in the next round.
 */
final class ESync extends BatchScheme {
  static final Setting<Double> EPSILON =
      Setting.notNegative("esync-epsilon", 0.05)
          .help("margin before the slowest worker's end, in iterations of the worker that asks");
  static final Setting<Double> EPSILON_SECONDS =
      Setting.notNegative("esync-epsilon-seconds", 0.0)
          .in("seconds, 0 or more")
          .help("the same in seconds, added; ESync's own program has 0.5");
  static final Setting<Double> SMOOTHING =
      Setting.real("esync-smoothing", 0.5)
          .in("above 0, up to 1", value -> value > 0 && value <= 1)
          .help("weight of the newest compute time against those before it; 1 for no smoothing");
  static final Setting<String> WEIGHTING =
      Setting.choice("esync-weighting", "uniform", "steps")
          .help("changes count the same, or per local step (FedNova)");

  static final Setting<Integer> PARTITIONS =
      Setting.integer("esync-partitions", 1, 1)
          .help(
              "slices per local batch, after each of which it can be given up; at most the batch size");

  private final StateServer.Margin margin;
  private final double smoothing;
  private final double learningRate;
  private final boolean perStep;
  private final int after;

  ESync(SchemeOptions options) {
    super(
        new BatchPolicy(options.batchSize(), options.get(PARTITIONS), Clock.NEVER), Uplink.CHANGES);
    Double given = options.get(DiLoCo.OUTER_LEARNING_RATE);
    margin = new StateServer.Margin(options.get(EPSILON), options.get(EPSILON_SECONDS));
    smoothing = options.get(SMOOTHING);
    learningRate = given == null ? 1 : given;
    perStep = options.get(WEIGHTING).equals("steps");
    after = options.get(LocalSgd.LOCAL_STEPS_AFTER);
  }

  static List<String> problems(SchemeOptions options) {
    return AnytimeOptions.partitionProblems(options, PARTITIONS);
  }

  @Override
  public void master(Master master) {
    StateServer server = server(master);
    OuterUpdate outer = new OuterUpdate(master, new Sgd(), learningRate);
    while (master.nextStep()) {
      server.begin(
          master.step(),
          master.step() <= after); // mᵣ to each worker r: after how many iterations it pushes
      master.broadcast(); // w to all
      while (master.results() < master.workers()) {
        Result pushed = master.receive(0, server::reported); // reports change mᵣ until Δᵣ comes
        server.pushed(pushed.source());
      }
      if (perStep) {
        perStep(master.gathered(), master.context().update().layout()); // Δᵣ ← Δᵣ · mean(m) / mᵣ
      }
      outer.update(); // w ← w − η 1/n Σ Δᵣ
      master.record();
    }
  }

  private StateServer server(Master master) {
    MasterContext context = master.context();
    StateServer server = new StateServer(master.communicator(), context.clock(), margin, smoothing);
    context.state().register("state-server", server);
    return server;
  }

  /**
   * Takes changes per local step, times the mean number of local steps: {@code τ_eff Σ pᵢ Δᵢ/τᵢ,
   * τ_eff = Σ pᵢ τᵢ, pᵢ = 1/n}, so that workers that do more steps do not pull harder. Running
   * statistics are averaged.
   *
   * <p>Wang, Liu, Liang, Joshi, Poor: "Tackling the Objective Inconsistency Problem in
   * Heterogeneous Federated Optimization" (FedNova), NeurIPS 2020.
   *
   * @param changes scaled; those without examples do not count
   */
  static void perStep(Gathering changes, Layout layout) {
    double meanSteps = 0;
    for (int k = 0; k < changes.contributors(); k++) {
      Result change = changes.result(k);
      int steps = change.examples() > 0 ? change.localSteps() : 0;
      meanSteps += (double) steps / changes.withExamples();
    }
    for (int k = 0; k < changes.contributors(); k++) {
      Result change = changes.result(k);
      float factor = (float) (meanSteps / change.localSteps());
      Master.weigh(change.message(), factor, layout);
    }
  }

  /** Between iterations, a worker takes the state server's orders. */
  @Override
  public boolean hearsWhileComputing() {
    return true;
  }

  @Override
  public void worker(Worker worker) {
    LocalModel local = worker.localModel();
    Assigned assigned = new Assigned(worker.context().clock(), local);
    while (worker.receive(assigned)) { // w, and mᵣ
      local.begin(); // wᵣ ← w
      assigned.begin(worker.step());
      while (local.step(true, assigned) && !assigned.done()) { // wᵣ ← wᵣ − η gᵣ(wᵣ)
        // The state server has been told, and has not said that it is enough.
      }
      local.send(); // Δᵣ = w − wᵣ
    }
  }

  /** How many iterations the state server assigns, which hears of each. */
  private static final class Assigned implements Consumer<Message>, BooleanSupplier {
    private final Clock clock;
    private final LocalModel local;
    private long step;
    private long assignedStep;
    private int assigned;
    private long since;

    Assigned(Clock clock, LocalModel local) {
      this.clock = clock;
      this.local = local;
    }

    void begin(long step) {
      this.step = step;
      since = clock.now();
    }

    /** Takes an assignment. */
    @Override
    public void accept(Message order) {
      assignedStep = order.step();
      assigned = order.asIterations().count();
    }

    /** Reports an iteration; returns whether to push. */
    boolean done() {
      long now = clock.now();
      local.report(Clock.seconds(since, now));
      since = now;
      return getAsBoolean();
    }

    /** Whether to push now. Until told otherwise, continue; the first iteration is always done. */
    @Override
    public boolean getAsBoolean() {
      for (Message order = local.order(); order != null; order = local.order()) {
        accept(order);
      }
      return local.steps() > 0 && assignedStep == step && local.steps() >= assigned;
    }
  }
}
