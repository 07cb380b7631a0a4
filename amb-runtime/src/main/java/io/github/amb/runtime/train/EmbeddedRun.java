package io.github.amb.runtime.train;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.StoppedException;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RankPlacement;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.MemoryOutput;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunWriter;
import io.github.amb.runtime.train.directory.TrainedRun;
import io.github.amb.runtime.train.part.RunInput;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A run of another program: it prints nothing, does not end the program, and has no files unless a
 * run directory is asked for.
 */
public final class EmbeddedRun {
  /** Options with which a run has a directory. */
  private static final List<Setting<?>> PLACES = List.of(RUN_DIRECTORY, RUNS_DIR, NAME, RESUME);

  /** Options without effect in a run that has none. */
  private static final List<Setting<?>> OF_FILES =
      List.of(
          CHECKPOINT_EVERY,
          CHECKPOINT_KEEP,
          DASHBOARD,
          EVALUATOR,
          LOG_FREQ,
          METRICS_PORT,
          NOTE,
          TAG);

  private static final RunOutcome CANCELLED =
      new RunOutcome(ExitCode.STOPPED, "cancelled by the program");
  private static final RunOutcome INTERRUPTED = new RunOutcome(ExitCode.STOPPED, "interrupted");

  private final List<String> options;
  private final RunInput input;
  private final RunView view;
  private final RunParts parts;
  private final StopRequest stop = StopRequest.byProgram();
  private volatile String lost = "";
  private Thread waiting; // That cancel interrupts.
  private boolean interrupted;

  /**
   * Checks a run.
   *
   * @param options those of {@code amb train}; not modified
   * @param input parts that the program gives as objects, in place of those that options name
   * @param view shows the run
   * @throws UsageException with all problems
   */
  public EmbeddedRun(List<String> options, RunInput input, RunView view) {
    this.options = List.copyOf(options);
    this.input = input;
    this.view = view;
    List<String> all = new ArrayList<>();
    RunParts made = null;
    try {
      Settings settings = RunSession.complete(CommandLine.parse(options).settings());
      check(settings, all);
      made = RunSession.check(settings, input);
      checkFiles(made);
      RunServing.check(settings);
    } catch (UsageException e) {
      e.getMessage().lines().forEach(all::add);
    }
    UsageException.expectNone(all);
    parts = made;
  }

  private static void check(Settings settings, List<String> problems) {
    if (settings.get(ENGINE).equals(OPENMPI)) {
      problems.add("--engine: expected mpj or sim in another program, found openmpi");
    }
    if (settings.has(PLUGINS)) {
      problems.add(
          "--plugins: expected plugins on the program's class path, found "
              + settings.get(PLUGINS));
    }
    if (settings.has(RUN_DIRECTORY) && !settings.has(RESUME)) {
      Path directory = Path.of(settings.get(RUN_DIRECTORY));
      if (Files.exists(directory)) {
        problems.add(RunWriter.existing(directory));
      }
    }
    for (Setting<?> setting : hasDirectory(settings) ? List.<Setting<?>>of() : OF_FILES) {
      if (settings.has(setting)) {
        problems.add(
            "--%s: expected --run-directory beside it, found none".formatted(setting.name()));
      }
    }
  }

  private void checkFiles(RunParts run) {
    boolean processes = !TrainingEngine.isHere(run);
    if (processes && input.scheme() != null) {
      throw new UsageException(
          "--scheme: expected a name, as processes make their own, found an object of "
              + input.scheme().getClass().getName()
              + "; name it in a plugin on the class path");
    }
    if (processes || hasDirectory(run.settings())) {
      InputFiles.check(input.data() == null ? null : run.data());
    }
  }

  private static boolean hasDirectory(Settings settings) {
    return PLACES.stream().anyMatch(settings::has);
  }

  /** Ends the run after the current step; any thread may call this. */
  public synchronized void cancel() {
    stop.request();
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /**
   * Trains. Called once. An interrupt of the calling thread ends training on processes and on the
   * virtual cluster; the thread stays interrupted.
   *
   * @return what it has learned, also if it was cancelled
   * @throws IOException if a file cannot be read or written
   * @throws RuntimeException if training fails; {@link EngineException} has the cause in one line
   */
  public TrainedRun run() throws IOException {
    try {
      return train();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private TrainedRun train() throws IOException {
    RankPlacement hosts = RunSession.hosts(parts.settings());
    RunParts run = RunSession.price(parts, view);
    if (hasDirectory(run.settings())) {
      return inDirectory(run, hosts, Map.of());
    }
    if (!TrainingEngine.isHere(run)) {
      return inTemporary(run, hosts);
    }
    RunSession.notes(run).forEach(view::warn);
    MemoryOutput output = new MemoryOutput();
    return output.result(here(run, output).exitCode() != 0);
  }

  /** Trains on processes whose files are removed at the end. */
  private TrainedRun inTemporary(RunParts run, RankPlacement hosts) throws IOException {
    Path folder = SharedPlace.fresh("amb-run-");
    try {
      Settings settings = run.settings().with(RUN_DIRECTORY, folder.resolve("run"));
      Map<String, String> cache = Map.of("AMB_CACHE_DIR", folder.resolve("cache").toString());
      Map<String, String> environment = input.data() == null ? Map.of() : cache;
      return inDirectory(run.with(settings), hosts, environment).withoutDirectory();
    } finally {
      Disk.REAL.delete(folder);
    }
  }

  private TrainedRun inDirectory(RunParts run, RankPlacement hosts, Map<String, String> environment)
      throws IOException {
    Path made = run.settings().has(RESUME) ? null : RunWriter.makeDirectory(run.settings());
    RunParts stored = made == null ? run : run.with(InputFiles.write(input, run, made));
    List<String> command = new ArrayList<>(List.of("Java API"));
    command.addAll(options);
    Host host = new Host(stored, hosts, environment);
    RunOutcome outcome =
        new RunSession(
                stored, made, owner(), command, hosts.describe(), RunSession.notes(run), host)
            .run();
    return TrainedRun.read(host.directory, outcome.exitCode() != 0);
  }

  private RunOwner owner() {
    return new RunOwner(view::warn, () -> stop, this::lost, this::checkLock);
  }

  private void lost(String message) {
    lost = message;
    cancel();
  }

  /** Ends all writing once another process has the lock. */
  private void checkLock() throws IOException {
    if (!lost.isEmpty()) {
      throw new IOException(lost);
    }
  }

  /** Trains in this process. */
  private RunOutcome here(RunParts run, RunOutput output) throws IOException {
    try {
      TrainingEngine.run(run, output, owner(), view);
      return RunOutcome.DONE;
    } catch (StoppedException e) {
      if (lost.isEmpty()) {
        return CANCELLED;
      }
      throw new EngineException(lost, e);
    }
  }

  /** From now on, {@link #cancel} interrupts this thread. */
  private synchronized void begin() throws InterruptedException {
    if (stop.isRequested()) {
      throw new InterruptedException("cancelled before the wait");
    }
    waiting = Thread.currentThread();
  }

  /** From now on, {@link #cancel} interrupts nothing. */
  private synchronized void ended() {
    waiting = null;
    interrupted |= Thread.interrupted() && !stop.isRequested();
  }

  /** This program, which reads the result and gets failures as exceptions. */
  private final class Host implements RunSession.Host {
    private final RunParts run;
    private final RankPlacement hosts;
    private final Map<String, String> environment;
    private RunDirectory directory;

    private Host(RunParts run, RankPlacement hosts, Map<String, String> environment) {
      this.run = run;
      this.hosts = hosts;
      this.environment = environment;
    }

    @Override
    public RunEnding ending(RunLock lock) {
      directory = lock.run();
      return RunEnding.ofProgram(lock);
    }

    @Override
    public RunOutcome train(RunLock lock) throws IOException {
      if (TrainingEngine.isHere(run)) {
        return here(run, RunOutput.in(directory));
      }
      try {
        begin();
        return TrainingEngine.launch(run, lock, hosts, environment, view);
      } catch (InterruptedException e) {
        interrupted = !stop.isRequested();
        return interrupted ? INTERRUPTED : CANCELLED;
      } finally {
        ended();
      }
    }

    @Override
    public RunOutcome end(RunEnding ending, RunOutcome outcome) throws IOException {
      if (!lost.isEmpty()) {
        throw new EngineException(lost);
      }
      RunOutcome certain = ending.write(outcome);
      boolean done = outcome.exitCode() == 0;
      if (certain.exitCode() != 0 && (done || !stop.isRequested())) {
        throw new EngineException(done ? certain.cause() : outcome.cause());
      }
      return outcome;
    }

    @Override
    public RunOutcome failed(RunEnding ending, Throwable failure) {
      interrupted |= Thread.interrupted(); // An interrupted thread could not write.
      if (lost.isEmpty()) {
        ending.writeAfter(failure, RunSession.outcome(failure));
      }
      return null;
    }

    /** A run that is cancelled, before or meanwhile, does not wait for tests of its checkpoints. */
    @Override
    public void await(RunServing serving) {
      try {
        begin();
        serving.awaitEvaluator();
      } catch (InterruptedException e) {
        // It was cancelled before.
      } finally {
        ended();
      }
    }
  }
}
