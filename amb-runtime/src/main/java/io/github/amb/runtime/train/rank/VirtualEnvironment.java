package io.github.amb.runtime.train.rank;

import static io.github.amb.models.data.DataSettings.DATA_SET;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.SimSettings.COST_PER_TEST_EXAMPLE;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.config.TrainSettings.TEST_SIZE;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;
import static io.github.amb.runtime.host.RankSettings.WORKERS;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.sim.ClusterModel;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.Hold;
import io.github.amb.core.sim.RecordedTimes;
import io.github.amb.core.sim.SharedSource;
import io.github.amb.core.sim.TimingSource;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.sim.VirtualEvaluator;
import io.github.amb.core.sim.WorkTime;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.topology.Topology;
import io.github.amb.models.data.DataSets;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.fault.FaultInjector;
import io.github.amb.runtime.fault.Injected;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.part.ClusterFile;
import io.github.amb.runtime.train.part.ReplayOptions;
import io.github.amb.runtime.train.part.RunParts;
import io.github.amb.runtime.train.part.WorkerTimesFile;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The environment of all ranks of a virtual cluster, which share one model and one order of
 * examples.
 */
final class VirtualEnvironment implements RankEnvironment, AutoCloseable {
  /** Parameters of all workers together with which rounds are kept, in bytes. */
  private static final long MAX_BYTES = 512L << 20;

  private static final double BITS = 8;

  private final RunParts run;
  private final RecordedTimes recorded; // null where options give all times
  private final WorkTime workTime;

  /** The nodes, whose episodes are those of this run. */
  final ClusterModel model;

  /** The ranks, whose checkpoints have the messages in transit if that is possible. */
  final VirtualCluster cluster;

  private final ResumePoint resumed;
  private final SharedSource shared; // null where no gradients are computed
  private final ExampleOrder order;
  private final boolean keepsRounds;
  private final Consumer<Injected> faults;

  /**
   * The virtual cluster that the settings describe.
   *
   * @param run checked, with all costs known
   * @param faults receives each occurrence of an injected fault
   * @throws UsageException if the replayed run cannot be read
   */
  VirtualEnvironment(RunParts run, Consumer<Injected> faults) throws IOException {
    this.run = run;
    this.faults = faults;
    Settings settings = run.settings();
    int workers = settings.get(WORKERS);
    CostModel costs = costs(settings);
    ClusterModel given = ClusterFile.read(settings);
    WorkTime ofCosts = costs.workTime(given.speeds());
    recorded =
        settings.has(REPLAY)
            ? ReplayOptions.trace(settings)
            : settings.has(WORKER_TIMES) ? WorkerTimesFile.read(settings).start() : null;
    model = recorded == null ? given : given.steady();
    boolean observed = run.scheme().uplink().isObserved();
    WorkTime own = recorded == null ? ofCosts : recorded.workTime(ofCosts);
    workTime = observed ? VirtualCluster.ofObserved(own) : own;
    double weight = run.timingOnly() ? settings.get(PARAMETERS) / (double) values(run) : 1;
    Hold hold = recorded == null ? Hold.NONE : recorded.hold();
    cluster = new VirtualCluster(model, workTime, weight, hold);
    if (observed) {
      cluster.observe();
    }
    if (run.timingOnly()) {
      encode(settings.get(PARAMETERS));
    }
    resumed = ResumeOptions.point(run);
    shared = run.timingOnly() ? null : new SharedSource(run::open);
    order =
        run.timingOnly() ? ExampleOrder.unread() : run.order(run.data().train().count(), workers);
    // Injected faults, a replay and slices have places of their own, which no checkpoint has.
    keepsRounds =
        !run.timingOnly()
            && recorded == null
            && topology(run) == Topology.STAR
            && !losesRanks()
            && !model.hasMemory()
            && (long) workers * Float.BYTES * run.parameters() <= MAX_BYTES;
    if (keepsRounds && resumed != null) {
      cluster.continueAt(resumed.master());
    }
  }

  private void encode(int parameters) {
    Codings codings = run.codings();
    Coding up = codings.peers().isNone() ? codings.uplink() : codings.peers();
    int slices = topology(run) == Topology.STAR ? 1 : run.settings().get(WORKERS);
    cluster.encode(
        up.share(Math.max(1, parameters / slices), run.streams()),
        codings.downlink().share(parameters, run.streams()));
  }

  private static CostModel costs(Settings settings) {
    return new CostModel(
        settings.get(COST_PER_EXAMPLE),
        settings.get(COST_PER_PARTITION),
        settings.get(COST_PER_PARAMETER),
        settings.has(COST_PER_TEST_EXAMPLE) ? settings.get(COST_PER_TEST_EXAMPLE) : 0,
        settings.get(COST_PER_ENCODED_ENTRY),
        settings.get(COST_PER_DECODED_ENTRY),
        settings.get(LATENCY),
        settings.get(BANDWIDTH) / BITS);
  }

  @Override
  public void keepRounds(int rank, StateRegistry state) {
    if (keepsRounds) {
      cluster.keepRounds(rank, state);
    }
  }

  @Override
  public RunCheckpoints.Rounds rounds() {
    return keepsRounds ? new RunCheckpoints.Rounds(cluster::save, cluster::workerState) : null;
  }

  private static GradientSource timing(RunParts run) {
    String data = run.settings().get(DATA_SET);
    var set = DataSets.definition(data);
    return new TimingSource(set.trainingExamples(), set.testExamples(), values(run));
  }

  private static Topology topology(RunParts run) {
    return Topology.named(run.settings().get(TOPOLOGY));
  }

  /** Number of values that stand for the parameters where timing alone is simulated. */
  private static int values(RunParts run) {
    return topology(run) == Topology.STAR ? 1 : run.settings().get(WORKERS);
  }

  @Override
  public GradientSource source(Clock clock) {
    return shared == null ? timing(run) : shared.view(clock);
  }

  @Override
  public ExampleOrder order(int worker, int workers) {
    return order.of(worker);
  }

  @Override
  public DelayModel delays(int rank) {
    return recorded == null ? model.nodes().get(rank).delays() : recorded.delays(rank);
  }

  @Override
  public Evaluator background(
      GradientSource source, Clock clock, Interval every, EvaluationListener listener) {
    boolean spaced = every.countsSteps() && !run.settings().has(COST_PER_TEST_EXAMPLE);
    return new VirtualEvaluator(
        source,
        clock,
        workTime,
        run.streams(),
        every.steps(),
        run.settings().get(TEST_SIZE),
        spaced ? VirtualEvaluator.SPACING : 0,
        listener);
  }

  @Override
  public ResumePoint resumed() {
    return resumed;
  }

  /** The first generation needs no handshake: ranks of one process have the same options. */
  @Override
  public void admit(Membership.Generation generation, ResumePoint states) {
    if (generation.number() > Membership.Generation.FIRST) {
      Handshake.welcome(generation.communicator(), states, Clock.NEVER);
    }
  }

  @Override
  public StateMap join(Membership.Generation generation) {
    if (generation.number() > Membership.Generation.FIRST) {
      return Handshake.awaitWelcome(generation.communicator(), Clock.NEVER);
    }
    return resumed == null ? new StateMap() : resumed.worker(generation.self());
  }

  /** A rank that ends or stops is gone; the others notice after seconds of virtual time. */
  @Override
  public FaultInjector.Signals signals() {
    return (fault, step, clock) -> {
      boolean isCut = fault.kind() == Fault.Kind.PARTITION;
      double stall = run.settings().get(STALL_AFTER);
      if (isCut && fault.amount() < stall) {
        clock.sleep(Clock.nanos(fault.amount()));
        return;
      }
      boolean stalls = isCut || fault.kind() == Fault.Kind.STALL;
      throw new VirtualTraining.Killed(stalls ? stall : run.settings().get(DEAD_AFTER));
    };
  }

  /** Only injected faults and failures of nodes end a generation. */
  @Override
  public boolean losesRanks() {
    return !run.faults().isEmpty() || model.hasFailures();
  }

  @Override
  public Consumer<Injected> faults() {
    return faults;
  }

  @Override
  public Map<String, String> describe() {
    return run.describeEngine();
  }

  @Override
  public void close() {
    if (shared != null) {
      shared.close();
    }
  }
}
