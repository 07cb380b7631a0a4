package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.config.TrainSettings.SEED;
import static io.github.amb.runtime.console.OutputSettings.RUNS_DIR;
import static io.github.amb.runtime.console.OutputSettings.RUN_DIRECTORY;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.part.InputChecksums;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Creates a run's directory and its {@code run.json}. */
public final class RunWriter {
  private RunWriter() {}

  /**
   * Creates the directory, locks it, and writes {@code run.json}. Never uses a run's directory.
   *
   * @param made a new directory; null to make one
   * @param settings the run's options
   * @param command what the user typed
   * @param owner the program that the run belongs to
   * @return the lock of the new run
   * @throws UsageException if the directory of {@code --run-directory} exists, or none can be
   *     created
   * @throws IOException if {@code run.json} cannot be written
   */
  public static RunLock create(Path made, Settings settings, List<String> command, RunOwner owner)
      throws IOException {
    Map<String, String> data = InputChecksums.of(settings);
    Path directory = made == null ? makeDirectory(settings) : made;
    Map<String, String> environment = RunProvenance.describe();
    RunDirectory run = new RunDirectory(directory.toAbsolutePath().normalize());
    RunInfo info =
        new RunInfo(
            RunInfo.FORMAT,
            run.path().getFileName().toString(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            command,
            settings.all(),
            settings.get(SEED),
            environment,
            data,
            null);
    RunLock lock = RunLock.training(run, owner.warnings(), owner.lost());
    try {
      run.write(info);
      return lock;
    } catch (Throwable e) {
      lock.close();
      throw e;
    }
  }

  /** Adds facts that only a rank knows to the environment in {@code run.json}. */
  public static void addEnvironment(RunDirectory run, Map<String, String> facts)
      throws IOException {
    run.write(run.read().withEnvironment(facts));
  }

  /**
   * Writes how a run ended, with the checksum of its final parameters if they can be read back.
   *
   * @param outcome its cause is one line
   * @return {@code outcome}, or a failure if the run succeeded but its final parameters are missing
   */
  public static RunOutcome end(RunDirectory run, RunOutcome outcome) throws IOException {
    FinalParameters found = FinalParameters.of(run);
    RunOutcome certain = found.judge(run, found.certify(outcome));
    String cause = certain.cause().isEmpty() ? "done" : certain.cause();
    RunInfo.Ending ending =
        new RunInfo.Ending(
            certain.exitCode(), cause, found.seconds(), found.steps(), found.sha256());
    run.write(run.read().withEnding(ending));
    return certain;
  }

  /**
   * Makes the directory of a new run.
   *
   * @throws UsageException if the directory of {@code --run-directory} exists, or none can be made
   */
  public static Path makeDirectory(Settings settings) {
    if (settings.has(RUN_DIRECTORY)) {
      Path path = Path.of(settings.get(RUN_DIRECTORY)).toAbsolutePath().normalize();
      if (path.getParent() != null) {
        makeParents("--run-directory", path.getParent());
      }
      if (!make("--run-directory", path)) {
        throw new UsageException(existing(path));
      }
      return path;
    }
    Path runs = Path.of(settings.get(RUNS_DIR));
    makeParents("--runs-dir", runs);
    String name = RunName.of(settings);
    Path path = runs.resolve(name);
    for (int number = 2; !make("--runs-dir", path); number++) {
      path = runs.resolve(name + "-" + number);
    }
    return path;
  }

  /** What is wrong with a run directory that exists. */
  public static String existing(Path directory) {
    return "--run-directory: expected a new directory, found the existing " + directory;
  }

  private static void makeParents(String option, Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw cannotMake(option, e);
    }
  }

  /** Creates one directory; returns false if a file of that name exists. */
  private static boolean make(String option, Path directory) {
    try {
      Files.createDirectory(directory);
      Path parent = directory.toAbsolutePath().getParent();
      // One that must not be listed cannot be opened either.
      if (Files.isReadable(parent)) {
        AtomicFile.sync(parent);
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw cannotMake(option, e);
    }
  }

  private static UsageException cannotMake(String option, IOException e) {
    return new UsageException("%s: cannot create a directory: %s", option, FailureText.of(e));
  }
}
