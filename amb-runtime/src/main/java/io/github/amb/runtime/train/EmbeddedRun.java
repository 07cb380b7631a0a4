package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.ExitCode;
import io.github.amb.core.command.Setting;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.StoppedException;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.MemoryOutput;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunWriter;
import io.github.amb.runtime.train.directory.TrainedRun;
import io.github.amb.runtime.train.part.Calibration;
import io.github.amb.runtime.train.part.InputChecksums;
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

  private static final RunOutcome DONE = new RunOutcome(0, "");
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
      Settings settings = TrainingEngine.complete(CommandLine.parse(options).settings());
      check(settings, all);
      made = TrainingEngine.check(settings, input);
      checkFiles(made);
      RunServing.check(settings);
    } catch (UsageException e) {
      e.getMessage().lines().forEach(all::add);
    }
    if (!all.isEmpty()) {
      throw new UsageException(all);
    }
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
    Settings settings = parts.settings();
    HostPlan hosts = TrainingEngine.hosts(settings);
    RunParts run = parts.simulated() ? Calibration.price(parts) : parts;
    TrainingEngine.notes(run).forEach(view::warn);
    if (hasDirectory(settings)) {
      return inDirectory(run, hosts, Map.of());
    }
    return TrainingEngine.isHere(run) ? inMemory(run) : inTemporary(run, hosts);
  }

  private TrainedRun inMemory(RunParts run) throws IOException {
    MemoryOutput output = new MemoryOutput();
    return output.result(train(run, output));
  }

  /** Trains in this process; returns whether training was stopped before its end. */
  private boolean train(RunParts run, RunOutput output) throws IOException {
    try {
      TrainingEngine.run(run, output, owner(), view);
      return false;
    } catch (StoppedException e) {
      if (lost.isEmpty()) {
        return true;
      }
      throw new EngineException(lost, e);
    }
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

  /** Trains on processes whose files are removed at the end. */
  private TrainedRun inTemporary(RunParts run, HostPlan hosts) throws IOException {
    Path folder = SharedPlace.fresh("amb-run-");
    try {
      Settings settings = run.settings().with(RUN_DIRECTORY, folder.resolve("run"));
      Map<String, String> cache = Map.of("AMB_CACHE_DIR", folder.resolve("cache").toString());
      TrainedRun found =
          inDirectory(run.with(settings), hosts, input.data() == null ? Map.of() : cache);
      return new TrainedRun(
          found.steps(),
          found.tests(),
          found.examples(),
          found.parameters(),
          null,
          found.stopped());
    } finally {
      Disk.REAL.delete(folder);
    }
  }

  private TrainedRun inDirectory(RunParts run, HostPlan hosts, Map<String, String> environment)
      throws IOException {
    if (run.settings().has(RESUME)) {
      try (RunLock lock = ResumeOptions.prepare(run, owner())) {
        return trainLocked(run, lock, hosts, environment);
      }
    }
    Path directory = RunWriter.makeDirectory(run.settings());
    RunParts stored = run.with(InputFiles.write(input, run, directory));
    List<String> command = new ArrayList<>(List.of("Java API"));
    command.addAll(options);
    try (RunLock lock =
        RunWriter.create(
            directory, stored.settings(), command, InputChecksums.of(stored.settings()), owner())) {
      return trainLocked(stored, lock, hosts, environment);
    }
  }

  private TrainedRun trainLocked(
      RunParts run, RunLock lock, HostPlan hosts, Map<String, String> environment)
      throws IOException {
    RunDirectory directory = lock.run();
    if (hosts != null) {
      RunWriter.addEnvironment(directory, hosts.describe());
    }
    try (RunServing serving = RunServing.start(run.settings(), directory, view::warn)) {
      boolean stopped =
          TrainingEngine.isHere(run)
              ? trainHere(run, directory)
              : launch(run, lock, hosts, environment);
      awaitEvaluator(serving);
      return TrainedRun.read(directory, stopped);
    }
  }

  private boolean trainHere(RunParts run, RunDirectory directory) throws IOException {
    boolean stopped;
    try {
      stopped = train(run, RunOutput.in(directory));
    } catch (IOException | RuntimeException | Error e) {
      interrupted = Thread.interrupted();
      endFailed(directory, e);
      throw e;
    }
    end(directory, stopped ? CANCELLED : DONE);
    return stopped;
  }

  /** A failure to write does not hide the cause. An interrupted thread could not write. */
  private void endFailed(RunDirectory directory, Throwable cause) {
    try {
      end(directory, FailureKinds.of(cause));
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private void end(RunDirectory directory, RunOutcome outcome) throws IOException {
    if (lost.isEmpty()) {
      RunOutcome certain = RunWriter.end(directory, outcome);
      if (outcome.exitCode() == 0 && certain.exitCode() != 0) {
        throw new EngineException(certain.cause());
      }
    }
  }

  private boolean launch(
      RunParts run, RunLock lock, HostPlan hosts, Map<String, String> environment)
      throws IOException {
    RunOutcome outcome;
    try {
      outcome = launched(run, lock, hosts, environment);
    } catch (InterruptedException e) {
      interrupted = !stop.isRequested();
      outcome = interrupted ? INTERRUPTED : CANCELLED;
    } catch (IOException | RuntimeException | Error e) {
      endFailed(lock.run(), e);
      throw e;
    }
    end(lock.run(), outcome);
    if (!lost.isEmpty()) {
      throw new EngineException(lost);
    }
    if (outcome.exitCode() != 0 && !stop.isRequested()) {
      throw new EngineException(outcome.cause());
    }
    return outcome.exitCode() != 0;
  }

  private RunOutcome launched(
      RunParts run, RunLock lock, HostPlan hosts, Map<String, String> environment)
      throws IOException, InterruptedException {
    try {
      begin();
      return TrainingEngine.launch(run, lock, hosts, environment, view);
    } finally {
      ended();
    }
  }

  /** A run that is cancelled, before or meanwhile, does not wait for tests of its checkpoints. */
  private void awaitEvaluator(RunServing serving) {
    try {
      begin();
      serving.awaitEvaluator();
    } catch (InterruptedException e) {
      // It was cancelled before.
    } finally {
      ended();
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
}
