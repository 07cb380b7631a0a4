package io.github.amb.runtime.train;

import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.scheme.context.TooFewWorkersException;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.python.PythonCode;
import io.github.amb.runtime.checkpoint.StoppedException;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.config.CampaignFile;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.host.CoreShare;
import io.github.amb.runtime.host.MemoryShare;
import io.github.amb.runtime.launch.RankPlacement;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.SiteMpi;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.mpj.WorldLoader;
import io.github.amb.runtime.train.directory.EndCommand;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunProvenance;
import io.github.amb.runtime.train.directory.RunWriter;
import io.github.amb.runtime.train.part.Calibration;
import io.github.amb.runtime.train.part.ClusterFile;
import io.github.amb.runtime.train.part.CodecChoice;
import io.github.amb.runtime.train.part.GpuPlan;
import io.github.amb.runtime.train.part.ReplayOptions;
import io.github.amb.runtime.train.part.RunInput;
import io.github.amb.runtime.train.part.RunOptions;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A training run with a directory, in its one order: check, lock, environment, notes, training,
 * ending. What differs between a terminal, a program and the launcher of another program is its
 * {@link Host}.
 *
 * @param parts of the run, which has passed {@link #check}
 * @param directory made for it; null to make one, or to resume a run
 * @param owner the program that the run belongs to
 * @param command what the user typed
 * @param facts about hosts or engine, for {@code run.json}
 * @param notes what the user is to know before training
 * @param host who asked for the run
 */
record RunSession(
    RunParts parts,
    Path directory,
    RunOwner owner,
    List<String> command,
    Map<String, String> facts,
    List<String> notes,
    Host host) {
  private static final String THREADS = "OMP_NUM_THREADS";

  /** Who asked for a run. */
  interface Host {
    /** Begins to watch for what ends the run early; the session closes it. */
    RunEnding ending(RunLock lock);

    /** Trains, and returns how that ended. */
    RunOutcome train(RunLock lock) throws IOException;

    /** Records and shows how training ended; returns what it has recorded. */
    RunOutcome end(RunEnding ending, RunOutcome outcome) throws IOException;

    /** Records a failure of training, and shows it; returns null to have it thrown. */
    RunOutcome failed(RunEnding ending, Throwable failure);

    /** Waits until what runs beside the ranks has done its work. */
    default void await(RunServing serving) {
      serving.awaitEvaluator();
    }
  }

  /**
   * Trains from the creation of the run directory, or its resume, to the recorded ending.
   *
   * @return the recorded ending
   * @throws UsageException if the directory or a server cannot be used; nothing was trained then
   * @throws IOException if a file cannot be written
   */
  RunOutcome run() throws IOException {
    RunServing.check(parts.settings());
    try (RunLock lock = lock()) {
      RunDirectory run = lock.run();
      if (!facts.isEmpty()) {
        RunWriter.addEnvironment(run, facts);
      }
      notes.forEach(owner.warnings());
      try (EndCommand command = EndCommand.of(parts.settings(), run.path());
          RunEnding ending = host.ending(lock);
          RunServing serving = RunServing.start(parts.settings(), run, owner.warnings())) {
        ending.then(command);
        RunOutcome recorded = train(ending, lock);
        host.await(serving);
        return recorded;
      }
    }
  }

  private RunLock lock() throws IOException {
    return parts.settings().has(RESUME)
        ? ResumeOptions.prepare(parts, owner)
        : RunWriter.create(directory, parts.settings(), command, owner);
  }

  private RunOutcome train(RunEnding ending, RunLock lock) throws IOException {
    RunOutcome outcome;
    try {
      outcome = host.train(lock);
    } catch (IOException | RuntimeException | Error e) {
      RunOutcome recorded = host.failed(ending, e);
      if (recorded == null) {
        throw e;
      }
      return recorded;
    }
    return host.end(ending, outcome);
  }

  /** How a run ends after a failure of this process. */
  static RunOutcome outcome(Throwable failure) {
    if (failure instanceof TooFewWorkersException few) {
      return new RunOutcome(few.exitCode(), few.getMessage());
    }
    int other = failure instanceof StoppedException ? ExitCode.STOPPED : ExitCode.FAILED;
    int code = failure instanceof UsageException ? ExitCode.USAGE : other;
    return new RunOutcome(code, FailureText.of(failure));
  }

  /**
   * The settings typed, with those of a run that is resumed or replayed.
   *
   * @throws UsageException listing all that is wrong with that run
   */
  static Settings complete(Settings typed) {
    Settings settings = ReplayOptions.complete(ResumeOptions.complete(typed));
    for (Setting<?> setting : List.of(DataSettings.DATA_SET, NETWORK)) {
      String place = settings.place(setting);
      PythonCode.check(place + ": " + setting, place.isEmpty() ? null : settings.given(setting));
    }
    if (settings.get(ENGINE).equals(OPENMPI)) {
      SiteMpi.find();
    }
    return settings;
  }

  /**
   * Everything that is checked before a run, except other hosts and their GPUs.
   *
   * @param input parts that a program gives as objects
   * @throws UsageException listing all that is wrong
   */
  static RunParts check(Settings settings, RunInput input) {
    List<String> problems = new ArrayList<>();
    RunParts parts = RunParts.of(HostPlan.complete(settings, problems), input, problems);
    if (!parts.siteMpi() && !parts.simulated() && parts.settings().get(WORKERS) > 0) {
      WorldLoader.findJar();
    }
    if (!settings.has(HOSTS)) {
      parts.checkPrecision();
    }
    List<String> threads = threads(parts, System.getenv(THREADS));
    if (parts.settings().get(REPRODUCIBLE).equals(AVX2) && !threads.isEmpty()) {
      throw new UsageException("--reproducible: " + threads.get(0));
    }
    Settings inOneLine = CampaignFile.inOneLine(parts.settings(), INJECT);
    return parts.with(ClusterFile.inOneLine(inOneLine));
  }

  /**
   * Whether the bits of a run in this process depend on the machine's cores: a warning, or none.
   * Ranks that are processes always have one thread.
   *
   * @param found value of the environment variable, or null
   */
  static List<String> threads(RunParts parts, String found) {
    boolean computes = TrainingEngine.isHere(parts) && !parts.timingOnly();
    return computes ? RunProvenance.threadsProblem(found).stream().toList() : List.of();
  }

  /** Warnings about this run for the user, printed after all checks have passed. */
  static List<String> notes(RunParts parts) {
    List<String> notes = new ArrayList<>(parts.remarks());
    notes.addAll(threads(parts, System.getenv(THREADS)));
    if (parts.settings().has(REPLAY)) {
      RunDirectory replayed = RunDirectory.named(parts.settings().get(REPLAY));
      notes.addAll(RunProvenance.changedPlugins(RunOptions.info("--replay", replayed)));
    }
    GpuPlan.note(parts.settings()).ifPresent(notes::add);
    if (parts.settings().has(INJECT)) {
      notes.add(
          "faults to inject: "
              + parts.faults().stream().map(Fault::toString).collect(Collectors.joining("; ")));
    }
    CoreShare share = CoreShare.here(parts.settings().get(WORKERS));
    if (!parts.simulated() && !parts.settings().has(HOSTS)) {
      if (!share.isEnough()) {
        notes.add(share.found() + "; " + CoreShare.REMEDY);
      }
      MemoryShare.of(MemoryShare.LINUX, parts.settings().get(WORKERS))
          .filter(memory -> !memory.isEnough())
          .ifPresent(memory -> notes.add(memory.found() + "; " + MemoryShare.REMEDY));
    }
    return notes;
  }

  /** Checks all hosts, and that this one has the GPUs of its ranks. */
  static RankPlacement hosts(Settings settings) throws IOException {
    RankPlacement hosts = HostPlan.of(settings);
    List<Integer> here = hosts.ranksHere(settings.get(WORKERS));
    GpuPlan.of(settings).ifPresent(plan -> plan.check(here));
    return hosts;
  }

  /** The run with its codec and all costs of the virtual cluster known, which may take seconds. */
  static RunParts price(RunParts checked, RunView view) {
    RunParts parts = CodecChoice.made(checked, view::warn);
    if (!parts.simulated()) {
      return parts;
    }
    if (Calibration.isMeasured(parts.settings())) {
      view.stage("calibrating " + parts.settings().get(NETWORK), 0, 0);
    }
    return Calibration.price(parts);
  }
}
