package io.github.amb.runtime.train.rank;

import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.LOG_FREQ;
import static io.github.amb.runtime.fault.FaultSettings.DROP;
import static io.github.amb.runtime.fault.FaultSettings.NON_FINITE;
import static io.github.amb.runtime.host.RankSettings.TOPOLOGY;
import static io.github.amb.runtime.host.RankSettings.WORKERS;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.evaluation.TimedEvaluator;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.BackgroundLog;
import io.github.amb.core.record.EndRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RecordSink;
import io.github.amb.core.record.Slowdowns;
import io.github.amb.core.scheme.context.LocalTraining;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.topology.Topology;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.checkpoint.LastStep;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.MasterConsole;
import io.github.amb.runtime.console.Progress;
import io.github.amb.runtime.console.ProgressMeter;
import io.github.amb.runtime.console.WorkerConsole;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.fault.FaultyClock;
import io.github.amb.runtime.fault.FaultyDisk;
import io.github.amb.runtime.fault.RankFaults;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.RuleParts;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One rank's part of a run, on any engine. */
public final class TrainRank {
  private final RunParts run;
  private final Clock clock;
  private final NonFinite nonFinite;
  private final RankEnvironment host;
  private final PrintStream console;
  private final FaultyDisk disk;
  private final RankFaults faults;
  private final RunOwner owner;
  private final LinkLayers layers;

  /**
   * A rank that is a process.
   *
   * @param run the run's parts
   * @param rank its number, which decides where it computes
   * @param clock the engine's clock
   * @param console receives a line per step
   */
  public TrainRank(RunParts run, int rank, Clock clock, PrintStream console) {
    this(run, rank, clock, console, ProcessEnvironment.of(run, rank), RunOwner.PROCESS);
  }

  /**
   * A rank in a given environment.
   *
   * @param host what the rank shares with others
   * @param owner the program that the run belongs to
   */
  public TrainRank(
      RunParts run,
      int rank,
      Clock clock,
      PrintStream console,
      RankEnvironment host,
      RunOwner owner) {
    this.run = run;
    this.owner = owner;
    this.host = host;
    this.console = console;
    this.clock = clock;
    faults = new RankFaults(run.faults(), rank, host.faults());
    disk = new FaultyDisk(faults, owner.disk());
    boolean drops = run.settings().get(NON_FINITE).equals(DROP);
    DroppedResults dropped = drops ? new DroppedResults(owner.warnings()) : null;
    layers =
        new LinkLayers(
            run.wire(),
            Topology.named(run.settings().get(TOPOLOGY)),
            run.streams(),
            clock,
            dropped,
            owner.warnings());
    nonFinite = drops ? dropped : NonFinite.HALT;
  }

  /**
   * Trains as the master.
   *
   * @param output keeps the records and checkpoints
   * @param view receives how far training is
   * @throws IOException if they cannot be written
   */
  public void master(RunOutput output, Membership membership, Consumer<Progress> view)
      throws IOException {
    int workers = run.settings().get(WORKERS);
    List<LogRecord> kept = ResumeOptions.kept(run);
    ProgressMeter meter = meter(workers, kept, view);
    try (RecordSink log = output.records(run, disk, owner.warnings());
        BackgroundLog everything =
            new BackgroundLog(
                new Slowdowns(disk.andThen(log).andThen(lines(workers)).andThen(meter)));
        GradientSource source = host.source(clock);
        MasterTraining master = startMaster(source, output, everything, meter)) {
      begin(output, master);
      master.recordsFirst(
          () -> {
            everything.flush();
            log.sync();
          });
      ResumePoint resumed = host.resumed();
      membersAgain(resumed, workers, kept, everything);
      MasterContext context = master.context();
      master.train(
          counted(membership),
          resumed,
          workers,
          link -> run.scheme().runMaster(context, layers.master(context, link)));
      judge(master);
    } finally {
      meter.finish();
    }
  }

  /** Records that workers are members again which the resumed run had lost. */
  private static void membersAgain(
      ResumePoint resumed, int workers, List<LogRecord> kept, Consumer<LogRecord> log) {
    List<Integer> all = IntStream.rangeClosed(1, workers).boxed().toList();
    List<MembershipRecord> changes = LogRecord.of(MembershipRecord.class, kept);
    if (!changes.isEmpty() && !changes.get(changes.size() - 1).workers().equals(all)) {
      log.accept(
          new MembershipRecord(
              resumed.seconds(),
              resumed.step(),
              Membership.Generation.FIRST,
              all,
              "the run was resumed",
              0));
    }
  }

  /** Trains as a worker, through all generations. */
  public void worker(Membership joined) throws IOException {
    Membership membership = counted(joined);
    try (GradientSource source = host.source(clock)) {
      Membership.Generation generation = membership.first();
      if (generation.self() == 1 && generation.number() == Membership.Generation.FIRST) {
        Stream.of(run.wire().uplink(), run.wire().downlink())
            .flatMap(coding -> coding.enlarged(source.layout(), run.streams()).stream())
            .forEach(owner.warnings());
      }
      StateMap own = new StateMap();
      StateMap received = new StateMap(); // What was own when parameters came last.
      while (generation != null) {
        StateRegistry state = new StateRegistry();
        if (generation.number() == Membership.Generation.FIRST) {
          host.keepRounds(generation.self(), state);
        }
        try {
          StateMap place = host.join(generation);
          // If no result has counted since parameters came, none may have changed the state.
          own.putAll(received.hasAll(place) ? received.copy() : place);
          if (generation.number() == Membership.Generation.FIRST && continuesExactly()) {
            state.restoreFrom(own); // With the messages in transit.
          } else {
            state.restoreFitting(own);
          }
          membership.training();
          trainWorker(generation, source, state, received);
          generation = null;
        } catch (LostException e) {
          own.putAll(state.state());
          generation = membership.next(e);
        }
      }
    }
  }

  /** Whether all that was saved is restored: of the master, the workers, and in transit. */
  private boolean continuesExactly() throws IOException {
    return run.simulated()
        && (host.resumed() == null || host.resumed().master().has(StateRegistry.CLUSTER));
  }

  private void trainWorker(
      Membership.Generation generation,
      GradientSource source,
      StateRegistry state,
      StateMap received) {
    FaultyClock slow = new FaultyClock(clock, faults);
    Clock own = faults.isEmpty() ? clock : slow;
    WorkerContext worker = worker(generation.self(), own, source, state);
    run.scheme()
        .runWorker(
            worker,
            layers.worker(
                worker, generation, received, host.losesRanks(), faults, slow, host.signals()));
  }

  /**
   * On the virtual cluster only injected faults lose messages, so that counting them would waste
   * time.
   */
  private Membership counted(Membership membership) {
    boolean loses =
        run.faults().stream().anyMatch(fault -> fault.kind().place() == Fault.Place.LINK);
    return faults.watching(
        run.simulated() && !loses ? membership : layers.checked(membership, faults));
  }

  /**
   * Trains in this process, without messages.
   *
   * @param output keeps the records and checkpoints
   * @param view receives how far training is
   */
  public void local(RunOutput output, Consumer<Progress> view) throws IOException {
    ProgressMeter meter = meter(0, ResumeOptions.kept(run), view);
    try (RecordSink log = output.records(run, disk, owner.warnings());
        GradientSource gradients = host.source(clock);
        GradientSource source = host.source(clock);
        MasterTraining master =
            startMaster(
                source, output, disk.andThen(log).andThen(lines(0)).andThen(meter), meter)) {
      begin(output, master);
      master.recordsFirst(log::sync);
      StateRegistry state = new StateRegistry();
      master.resumeLocally(ResumeOptions.point(run), state);
      WorkerContext worker = worker(1, clock, gradients, state).alsoLoggedBy(master.log());
      LocalTraining training =
          new LocalTraining(master.context(), worker, run.scheme().batchPolicy());
      master.trainLocally(training::run);
      judge(master);
    } finally {
      meter.finish();
    }
  }

  /** Tests the last parameters on the part that no decision has been made on. */
  private void judge(MasterTraining master) {
    if (run.testPart() != null && !run.timingOnly()) {
      EvaluationListener judged = (found, tested) -> master.log().accept(EndRecord.of(found));
      try (Evaluator test =
          new BlockingEvaluator(run.openTestPart(), clock, run.streams(), 1, -1, judged)) {
        test.last(master.last().time(), master.last().step(), master.context().parameters());
      }
    }
  }

  private MasterTraining startMaster(
      GradientSource source, RunOutput output, Consumer<LogRecord> everything, ProgressMeter meter)
      throws IOException {
    MemberLog log = new MemberLog(everything);
    Consumer<LogRecord> kept = run.timingOnly() ? new TimingRecords(log) : log;
    Consumer<LogRecord> records = output.watch().andThen(kept);
    StateRegistry state = new StateRegistry();
    host.keepRounds(Communicator.MASTER, state);
    LastStep last = new LastStep(state);
    Optional<RunCheckpoints> checkpoints =
        run.timingOnly()
            ? Optional.empty()
            : output.checkpoints(run, source.layout(), last, disk, owner.warnings());
    checkpoints.ifPresent(found -> found.rounds(host.rounds()));
    EvaluationListener tested = new TestResults(records, checkpoints, meter);
    MasterContext context = master(source, records, tested, state);
    if (context.evaluator() instanceof Checkpointed evaluator) {
      state.registerOfRounds("evaluator", evaluator);
    }
    return new MasterTraining(
        context, last, checkpoints, log, host, owner.stop(), !run.timingOnly());
  }

  private void begin(RunOutput output, MasterTraining master) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>(host.describe());
    facts.putAll(run.describeNetwork());
    facts.putAll(run.describeExamples());
    output.begin(facts, master.context().parameters());
  }

  private MasterConsole lines(int workers) {
    return new MasterConsole(console, workers, run.settings().get(LOG_FREQ), owner.warnings());
  }

  private ProgressMeter meter(int workers, List<LogRecord> kept, Consumer<Progress> view) {
    ProgressMeter meter =
        new ProgressMeter(
            run.stop(), run.trainingExamples(), workers, run.simulated(), System::nanoTime, view);
    LogRecord.of(EvaluationRecord.class, kept).forEach(meter);
    return meter;
  }

  /**
   * The master's context.
   *
   * @param source evaluates and describes the parameters; closed together with the evaluator
   * @param log receives every record
   * @param tested receives every evaluation
   * @param state state of the master, saved in checkpoints
   */
  private MasterContext master(
      GradientSource source,
      Consumer<? super LogRecord> log,
      EvaluationListener tested,
      StateRegistry state) {
    Settings settings = run.settings();
    Layout layout = source.layout();
    float[] parameters = new float[layout.size()];
    run.initialize(source, parameters);
    return new MasterContext(
        clock,
        parameters,
        RuleParts.update(run, layout, run.wire().hook(layout)),
        run.schedule(),
        run.stop(),
        source.trainingExamples(),
        run.streams(),
        evaluator(source, tested),
        log,
        state);
  }

  private Evaluator evaluator(GradientSource source, EvaluationListener tested) {
    Settings settings = run.settings();
    Interval every = Interval.parse(settings.get(EVALUATE_EVERY).toString());
    boolean blocks = settings.get(EVALUATE).equals(BLOCKING);
    int steps = blocks ? every.steps() : Integer.MAX_VALUE;
    Evaluator evaluator =
        settings.get(EVALUATE).equals("background")
            ? host.background(source, clock, every, tested)
            : new BlockingEvaluator(
                source, clock, run.streams(), steps, settings.get(TEST_SIZE), tested);
    return every.countsSteps() ? evaluator : new TimedEvaluator(evaluator, every.length());
  }

  /**
   * A worker's context.
   *
   * @param rank from 1
   * @param state state of the worker, saved in checkpoints
   */
  private WorkerContext worker(int rank, Clock clock, GradientSource source, StateRegistry state) {
    int workers = Math.max(1, run.settings().get(WORKERS));
    return new WorkerContext(
        rank,
        clock,
        source,
        host.order(rank - 1, workers),
        host.delays(rank),
        run.streams(),
        RuleParts.update(run, source.layout(), null),
        new WorkerConsole(console, !run.settings().get(INDUCE).equals("none")),
        state,
        nonFinite);
  }
}
