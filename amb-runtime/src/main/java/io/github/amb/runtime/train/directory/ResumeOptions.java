package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.console.OutputSettings.ON_END;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Setting.Role;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogFollower;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.LogTruncation;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.Superseded;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.config.DerivedValues;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.part.CodecChoice;
import io.github.amb.runtime.train.part.InputChecksums;
import io.github.amb.runtime.train.part.RunNetwork;
import io.github.amb.runtime.train.part.RunOptions;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Settings of the run that {@code --resume} names, and the preparation of its directory. */
public final class ResumeOptions {
  /** Name of a fact in the environment of {@code run.json}. */
  static final String RESUMED = "resumed_after_step";

  private ResumeOptions() {}

  /**
   * The run's settings, with those typed that may change; unchanged without {@code --resume}.
   *
   * @throws UsageException if the run cannot be read, is complete, or differs from the typed
   *     settings
   */
  public static Settings complete(Settings given) {
    Settings asked = found(given);
    if (!asked.has(RESUME)) {
      if (startsOver(asked)) {
        throw new UsageException("--resume-from: expected --resume RUN beside it, found none");
      }
      return asked;
    }
    // What it stands for was decided when the run began.
    Settings known = asked.get(PRECISION).equals(AUTO) ? asked.without(PRECISION) : asked;
    Settings typed = CodecChoice.isOpen(known) ? known.without(CODEC) : known;
    RunInfo info = read(typed);
    boolean finished = info.ending() != null && info.ending().exitCode() == 0 && !startsOver(typed);
    List<String> problems = new ArrayList<>();
    if (finished && LIMITS.stream().noneMatch(typed::has)) {
      problems.add(
          "--resume: expected an unfinished run, found one that finished after %d steps; to train further, set a later limit, as with --last-step"
              .formatted(info.ending().steps()));
    }
    Settings recorded = RunOptions.read("--resume", directory(typed));
    Settings limits = finished ? typed : DerivedValues.removedFrom(recorded);
    Settings settings = typed;
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean dropped =
          setting == INJECT
              || setting == RESUME_FROM
              || LIMITS.contains(setting) && !limits.has(setting);
      if (typed.has(setting)) {
        compare(setting, typed, recorded, problems);
      } else if (recorded.has(setting) && setting.role() == Role.VALUE && !dropped) {
        settings = settings.with(setting, recorded);
      } else if (setting.role() == Role.ORDER && setting != ON_END) {
        missing(setting, recorded, problems);
      }
    }
    UsageException.expectNone(problems);
    return settings.with(RUN_DIRECTORY, directory(typed).path());
  }

  /** Whether a run is resumed only if it exists. */
  public static boolean isAuto(Settings typed) {
    return is(typed, AUTO) || is(typed, STANDBY);
  }

  private static boolean is(Settings typed, String value) {
    return typed.has(RESUME) && typed.given(RESUME).equals(value);
  }

  /**
   * With {@code --resume standby}, waits until the run exists and no program trains it, on this
   * machine or another one. Nothing else remains to be done before the run is resumed.
   *
   * @param rehearsal checks, before the wait, all that can be checked
   * @param notes receives lines for people
   * @return false if the run has finished
   */
  public static boolean awaitTurn(Settings typed, Reading<?> rehearsal, Consumer<String> notes)
      throws IOException {
    if (!is(typed, STANDBY)) {
      return true;
    }
    found(typed); // Checks that there is a directory.
    RunDirectory run = new RunDirectory(Path.of(typed.get(RUN_DIRECTORY)));
    notes.accept("waiting until no other program trains the run in " + run.path());
    while (Files.notExists(run.info())) {
      Waits.uninterrupted(() -> TimeUnit.SECONDS.sleep(1));
    }
    if (RunLock.isHeld(run)) {
      rehearsal.read();
    }
    RunLock.await(run, notes);
    RunInfo info = run.read();
    return info.ending() == null || info.ending().exitCode() != 0;
  }

  /** With {@code --resume auto}: the run in {@code --run-directory}, or a new one there. */
  private static Settings found(Settings typed) {
    if (!isAuto(typed)) {
      return typed;
    }
    if (!typed.has(RUN_DIRECTORY)) {
      throw new UsageException(
          "--resume %s: expected --run-directory beside it, found none", typed.given(RESUME));
    }
    Settings first = typed.without(RESUME);
    return Files.exists(new RunDirectory(Path.of(typed.get(RUN_DIRECTORY))).info())
        ? first.without(RUN_DIRECTORY).without(INJECT).with(RESUME, typed.get(RUN_DIRECTORY))
        : first;
  }

  private static void compare(
      Setting<?> setting, Settings typed, Settings recorded, List<String> problems) {
    boolean same = recorded.has(setting) && typed.get(setting).equals(recorded.get(setting));
    if (!RunIdentity.isFree(setting) && !same) {
      problems.add(
          "--%s: expected %s, as in the run to be resumed, found %s; %s"
              .formatted(
                  setting.name(),
                  recorded.has(setting) ? oneLine(recorded.get(setting)) : null,
                  typed.get(setting),
                  setting == WORKERS
                      ? "leave it out; with --min-workers a run continues with fewer"
                      : "leave it out"));
    }
  }

  /** Commands, hosts and addresses must be typed again, as the directory may be somebody else's. */
  private static void missing(Setting<?> setting, Settings recorded, List<String> problems) {
    if (recorded.has(setting) && !recorded.get(setting).equals(setting.fallback())) {
      problems.add(
          "--%1$s: expected it on the command line again, as it is never read from a run directory; this run had --%1$s '%2$s'"
              .formatted(setting.name(), oneLine(recorded.get(setting))));
    }
  }

  /** A line break in somebody's run would forge a line of this program. */
  private static String oneLine(Object recorded) {
    return recorded.toString().replace('\n', ' ');
  }

  /**
   * Locks the run's directory and prepares it: chooses the checkpoint, and moves later checkpoints
   * and records aside. Everything is checked and read before the first change. If it is killed, it
   * can be called again.
   *
   * @param owner the program that the run belongs to
   * @return the lock
   * @throws UsageException if another process has the lock, the data differ, no checkpoint is
   *     usable, or a file cannot be read; then nothing was changed
   */
  public static RunLock prepare(RunParts parts, RunOwner owner) throws IOException {
    Map<String, String> found = InputChecksums.of(parts.settings());
    RunInfo run = read(parts.settings());
    RunNetwork.check(run, parts.describeNetwork());
    InputChecksums.expect("--resume", run, found);
    if (!found.keySet().containsAll(run.data().keySet())) {
      throw new UsageException(
          "--resume: expected the run's files %s, found %s", run.data().keySet(), found.keySet());
    }
    RunProvenance.changedPlugins(run).forEach(owner.warnings());
    threads(parts, run, System.getenv("OMP_NUM_THREADS")).ifPresent(owner.warnings());
    RunLock lock = RunLock.training(directory(parts.settings()), owner.warnings(), owner.lost());
    try (RunLock evaluator = RunLock.evaluating(lock.run(), Duration.ZERO)) {
      prepare(parts, evaluator.run(), owner);
      return lock;
    } catch (Throwable e) {
      lock.close();
      throw e;
    }
  }

  /**
   * A warning if this process computes with another number of threads than the run's first part.
   *
   * @param found value of {@code OMP_NUM_THREADS}, or null
   * @throws UsageException if the run is a reproducible one
   */
  static Optional<String> threads(RunParts parts, RunInfo run, String found) {
    Settings settings = parts.settings();
    String now = Objects.toString(found, "unset");
    String before = run.environment().getOrDefault(RunProvenance.THREADS, now);
    boolean computes = !parts.timingOnly() && (parts.simulated() || settings.get(WORKERS) == 0);
    if (!computes || now.equals(before)) {
      return Optional.empty();
    }
    String problem =
        "expected OMP_NUM_THREADS=%s in the environment, as the run had, found %s: bits depend on it"
            .formatted(before, now);
    if (settings.get(REPRODUCIBLE).equals(AVX2) && !startsOver(settings)) {
      throw new UsageException("--reproducible: %s; %s", problem, SavedProgress.STARTING_OVER);
    }
    return Optional.of(problem);
  }

  private static void prepare(RunParts parts, RunDirectory run, RunOwner owner) throws IOException {
    Settings settings = parts.settings();
    RunInfo info = read(settings);
    Disk disk = owner.disk();
    SavedProgress saved = new SavedProgress(run, info, parts, owner.warnings());
    long step;
    ResumePoint point;
    LogTruncation records;
    try {
      step = startsOver(settings) ? 0 : saved.newest();
      point = step == 0 ? null : saved.point(step);
      boolean whole = point != null && point.master().has(VirtualCluster.STATE);
      records = new LogTruncation(run, lastKept(step), whole, disk);
    } catch (IOException e) {
      throw new UsageException(
          "--resume: %s; nothing was changed; resume when the file is readable, or %s",
          e.getMessage(), SavedProgress.STARTING_OVER);
    }
    if (point != null) {
      checkLimits(parts, Settings.of(info.configuration()), point);
    }
    Superseded aside = new Superseded(run, disk);
    disk.check();
    warnOfGap(run, step, owner);
    run.write(
        info.withEnding(null)
            .withConfiguration(RunIdentity.changed(settings))
            .withEnvironment(Map.of(RESUMED, Long.toString(step))));
    saved.checkpoints(disk).supersede(lastKept(step), aside);
    records.apply(aside);
    aside.place().ifPresent(place -> owner.warn("moved later checkpoints and records to " + place));
    owner.warn("resuming " + run.path() + " after step " + step);
    warnOfSchedule(settings, info, owner);
  }

  /** These schedules end at the last step, so another one moves all their rates. */
  private static void warnOfSchedule(Settings settings, RunInfo info, RunOwner owner) {
    long before = Settings.of(info.configuration()).get(LAST_STEP);
    String schedule = settings.get(LRATE_SCHEDULE);
    if (List.of("cosine", "linear").contains(schedule) && before != settings.get(LAST_STEP)) {
      owner.warn(
          "the %s schedule of the learning rate now ends at step %d, not at %d, so the rate jumps here"
              .formatted(schedule, settings.get(LAST_STEP), before));
    }
  }

  /**
   * A limit behind the checkpoint would end the run at once, with less than it has. The run's own
   * limit of time or epochs is behind it if the run was killed after its last step.
   */
  private static void checkLimits(RunParts parts, Settings recorded, ResumePoint point) {
    List<String> problems = new ArrayList<>();
    Settings settings = parts.settings();
    if (settings.get(LAST_STEP) > 0) {
      behind(LAST_STEP, settings, point.step(), problems);
    }
    if (point.master().get("progress/samples") instanceof long[] samples
        && differs(MAX_EPOCHS, settings, recorded)) {
      behind(MAX_EPOCHS, settings, samples[0] / (double) parts.trainingExamples(), problems);
    }
    if (differs(MAX_TIME, settings, recorded)) {
      behind(MAX_TIME, settings, point.seconds(), problems);
    }
    if (differs(BUDGET, settings, recorded)
        && point.master().get("progress/samples") instanceof long[] samples
        && point.master().get("progress/bytes") instanceof long[] bytes) {
      Budget budget = Budget.parse(settings.get(BUDGET));
      if (budget.share(point.step(), samples[0], bytes[0], point.seconds()) > 1) {
        problems.add(
            "--budget: expected at least what the checkpoint has used, found %s; nothing was changed"
                .formatted(budget));
      }
    }
    UsageException.expectNone(problems);
  }

  private static boolean differs(Setting<?> setting, Settings settings, Settings recorded) {
    return settings.has(setting) && !settings.get(setting).equals(recorded.get(setting));
  }

  private static void behind(
      Setting<? extends Number> limit, Settings settings, Number done, List<String> problems) {
    Number found = settings.get(limit);
    if (found.doubleValue() < done.doubleValue()) {
      problems.add(
          "--%s: expected at least the %s of the checkpoint, found %s; nothing was changed"
              .formatted(limit.name(), done, found));
    }
  }

  /** A power failure, or a kill while the disk was full, may take records before a checkpoint. */
  private static void warnOfGap(RunDirectory run, long step, RunOwner owner) throws IOException {
    StepRecord last = run.lastStep();
    long recorded = last == null ? 0 : last.step();
    if (recorded < step) {
      owner.warn(
          "%s ends at step %d, before the checkpoint of step %d: tables and figures lack the steps between"
              .formatted(run.masterLog(), recorded, step));
    }
  }

  /** A run that restarts at step 0 tests its first parameters again. */
  private static long lastKept(long step) {
    return step > 0 ? step : -1;
  }

  private static boolean startsOver(Settings settings) {
    return settings.get(RESUME_FROM).equals(START);
  }

  /**
   * The checkpoint that {@link #prepare} has chosen; null in a new run, or if the run starts over.
   *
   * @throws IOException if that checkpoint cannot be read any more
   */
  public static ResumePoint point(RunParts parts) throws IOException {
    Settings settings = parts.settings();
    if (!settings.has(RESUME)) {
      return null;
    }
    RunInfo info = read(settings);
    long step = Long.parseLong(info.environment().getOrDefault(RESUMED, "0"));
    return step == 0
        ? null
        : new SavedProgress(directory(settings), info, parts, warning -> {}).point(step);
  }

  /**
   * The tests and changes of workers that the resumed run has kept, in the order written; none in a
   * new run.
   */
  public static List<LogRecord> kept(RunParts parts) throws IOException {
    List<LogRecord> kept = new ArrayList<>();
    if (parts.settings().has(RESUME)) {
      LogFollower log = new LogFollower(directory(parts.settings()).masterLog());
      for (List<LogRecord> next = log.next(); !next.isEmpty(); next = log.next()) {
        kept.addAll(LogRecord.of(EvaluationRecord.class, next));
        kept.addAll(LogRecord.of(MembershipRecord.class, next));
      }
    }
    return kept;
  }

  private static RunDirectory directory(Settings settings) {
    return new RunDirectory(
        RunDirectory.named(settings.get(RESUME)).path().toAbsolutePath().normalize());
  }

  private static RunInfo read(Settings settings) {
    return RunOptions.info("--resume", directory(settings));
  }
}
