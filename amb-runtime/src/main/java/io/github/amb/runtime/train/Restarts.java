package io.github.amb.runtime.train;

import static io.github.amb.core.option.Decimal.format;
import static io.github.amb.runtime.console.OutputSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.fault.FaultSettings.RESTARTS;
import static io.github.amb.runtime.fault.FaultSettings.RESTART_WINDOW;
import static io.github.amb.runtime.host.RankSettings.ENGINE;
import static io.github.amb.runtime.host.RankSettings.HOSTS;
import static io.github.amb.runtime.host.RankSettings.OPENMPI;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.HangUp;
import io.github.amb.runtime.launch.JvmCommand;
import io.github.amb.runtime.launch.StopHook;
import io.github.amb.runtime.train.directory.RunIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The parent of a run with {@code --restarts}: a process that starts {@code amb train}, and resumes
 * the run when that has failed, also if its launcher or master was killed. A signal to the parent
 * ends the run.
 */
final class Restarts {
  /** System property of the launcher: the file that tells the parent the run's directory. */
  private static final String TOLD = "amb.restarts.run";

  /** Nothing failed, or the same would fail again. */
  private static final Set<Integer> ENDINGS =
      Set.of(0, ExitCode.USAGE, ExitCode.STOPPED, ExitCode.NOBODY_READS);

  private static final double MAX_PAUSE = 60;

  private final Settings typed;
  private final int most;
  private final double window;
  private final Path told;
  private final List<Double> restarts = new ArrayList<>();
  private Process launcher;
  private long reached; // Last step of the run when it was last restarted.
  private int fruitless; // Failures in a row before which the run got no further.

  /**
   * @param settings of the run
   * @param typed on the command line and in files
   * @throws UsageException if the run's directory would not be known
   */
  Restarts(Settings settings, Settings typed) throws IOException {
    if (settings.get(ENGINE).equals(OPENMPI) && !settings.has(RUN_DIRECTORY)) {
      throw new UsageException(
          "--restarts: expected --run-directory beside --engine openmpi, found none");
    }
    this.typed = typed;
    most = settings.get(RESTARTS);
    window = settings.get(RESTART_WINDOW);
    told = SharedPlace.fresh("amb-restarts-").resolve("run");
    if (settings.has(RUN_DIRECTORY)) {
      Files.writeString(told, settings.get(RUN_DIRECTORY));
    }
  }

  /** Whether a parent has started this process. */
  static boolean hasParent() {
    return System.getProperty(TOLD) != null;
  }

  /** Tells the parent, if there is one, the directory that this process trains in. */
  static void tell(Path run) {
    if (hasParent()) {
      try {
        Files.writeString(Path.of(System.getProperty(TOLD)), run.toString());
      } catch (IOException e) {
        System.err.println("amb: --restarts will not find " + run + ": " + e.getMessage());
      }
    }
  }

  /**
   * Starts the run, and resumes it after failures.
   *
   * @param arguments what the user typed after {@code amb train}
   * @return the last exit code
   */
  int run(List<String> arguments) throws IOException {
    List<String> next = new ArrayList<>(List.of("train"));
    next.addAll(arguments);
    StopHook hook = new StopHook("end-restarts", this::stop);
    if (typed.has(HOSTS)) {
      HangUp.handle(this::hangUp);
    }
    try {
      while (true) {
        int code = end(next);
        if (ENDINGS.contains(code)) {
          return code;
        }
        long step = step();
        fruitless = step > reached ? 0 : fruitless + 1;
        reached = step;
        OptionalDouble pause = pause(most, window, restarts, fruitless, seconds());
        if (pause.isEmpty()) {
          String limit = "amb: exit code %d; --restarts %d in %s s are used up";
          System.err.println(format(limit, code, most, Setting.typed(window)));
          return code;
        }
        next = resume(next);
        restarts.add(seconds());
        String line = "amb: exit code %d; restart %d of %d in %s s: amb %s";
        int count = counted(window, restarts, seconds());
        String words = String.join(" ", next);
        System.err.println(
            format(line, code, count, most, Setting.typed(pause.getAsDouble()), words));
        Thread.sleep((long) (1000 * pause.getAsDouble()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.STOPPED;
    } finally {
      hook.close();
      forget();
    }
  }

  /**
   * What must be typed again, with what may change, to resume the run.
   *
   * @param before what was typed before, again if there is no run yet
   */
  private List<String> resume(List<String> before) throws IOException {
    if (Files.notExists(told)) {
      return before;
    }
    RunDirectory run = new RunDirectory(Path.of(Files.readString(told)));
    if (Files.notExists(run.info())) {
      return before;
    }
    List<String> words = new ArrayList<>(List.of("train", "--resume", run.path().toString()));
    for (Setting<?> setting : RunIdentity.FREE) {
      if (typed.has(setting)) {
        words.addAll(List.of("--" + setting.name(), typed.given(setting)));
      }
    }
    return words;
  }

  /** The run's last step; 0 if there is none. */
  private long step() throws IOException {
    StepRecord last =
        Files.exists(told) ? new RunDirectory(Path.of(Files.readString(told))).lastStep() : null;
    return last == null ? 0 : last.step();
  }

  /**
   * Seconds to wait before a restart: none if the run has got further since the one before, else 1,
   * and twice as many each further time.
   *
   * @param most restarts that may count
   * @param window seconds after which one is not counted any more
   * @param restarts times of the restarts so far, in seconds
   * @param fruitless failures in a row before which the run got no further
   * @return empty if as many as allowed count
   */
  static OptionalDouble pause(
      int most, double window, List<Double> restarts, int fruitless, double now) {
    return counted(window, restarts, now) >= most
        ? OptionalDouble.empty()
        : OptionalDouble.of(fruitless == 0 ? 0 : Math.min(MAX_PAUSE, Math.pow(2, fruitless - 1.0)));
  }

  private static int counted(double window, List<Double> restarts, double now) {
    return (int) restarts.stream().filter(time -> time > now - window).count();
  }

  private static double seconds() {
    return System.nanoTime() / 1e9;
  }

  /** The exit code of a launcher, which ends with this process. */
  private int end(List<String> arguments) throws IOException, InterruptedException {
    synchronized (this) {
      launcher = JvmCommand.startProgram("-D" + TOLD + "=" + told, arguments);
    }
    int code = launcher.waitFor();
    synchronized (this) { // Not while a signal ends this program.
      return code;
    }
  }

  /** Passes SIGHUP on. */
  private synchronized void hangUp() {
    try {
      new ProcessBuilder("kill", "-HUP", Long.toString(launcher.pid())).start();
    } catch (IOException e) {
      System.err.println("amb: --hosts is not read again: " + e.getMessage());
    }
  }

  /** Ends this program with the launcher, which a signal to the process group has also reached. */
  private synchronized void stop() {
    int code = ExitCode.STOPPED;
    if (launcher != null) {
      launcher.toHandle().destroy(); // Process.destroy would close its input, the launcher's watch.
      Waits.uninterrupted(launcher::waitFor);
      code = launcher.exitValue();
    }
    forget();
    Runtime.getRuntime().halt(code == 0 ? ExitCode.STOPPED : code);
  }

  private void forget() {
    try {
      Disk.REAL.delete(told.getParent());
    } catch (IOException e) {
      System.err.println("amb: cannot remove " + told.getParent() + ": " + e.getMessage());
    }
  }
}
