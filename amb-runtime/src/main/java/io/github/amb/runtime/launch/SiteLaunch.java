package io.github.amb.runtime.launch;

import static io.github.amb.runtime.console.OutputSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.host.RankSettings.WORKERS;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.host.CoreShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Starts a run through the launcher of the site's own MPI, and returns its exit code. */
public final class SiteLaunch {
  /** Environment variable: the launcher and its options, separated by spaces. */
  static final String LAUNCHER = "AMB_MPIRUN";

  private static final String DEFAULT = "mpirun";
  private static final String HOME = "amb.home";
  private static final long PATIENCE_SECONDS = 30;

  /** A launcher adds the signal's number to this if a rank was killed. */
  private static final int KILLED = 128;

  private SiteLaunch() {}

  /**
   * Runs the launcher to its end. The ranks' output becomes this program's; the cause of a failure
   * is the last line.
   *
   * @param arguments what the user typed
   * @param early hook that ends this program until the launcher has started
   * @return the exit code
   * @throws UsageException if there is no such launcher
   */
  public static int run(Settings settings, List<String> arguments, StopHook early)
      throws IOException {
    List<String> command = command(settings.get(WORKERS) + 1, arguments);
    Path exit = SharedPlace.fresh("amb-exit-").resolve("exit");
    try {
      int code = run(command, exit, early);
      if (code != 0 && code != ExitCode.USAGE && code != ExitCode.STOPPED) {
        System.err.println("amb: " + why(ExitFile.cause(exit), command.get(0), code, settings));
      }
      return code;
    } finally {
      Disk.REAL.delete(exit.getParent());
    }
  }

  private static int run(List<String> command, Path exit, StopHook early) {
    AtomicReference<Process> started = new AtomicReference<>();
    // Armed before the launcher starts, so that no launcher outlives this program.
    try (StopHook hook = new StopHook("end-site-launch", () -> stop(started, exit))) {
      early.close();
      Process process;
      synchronized (started) {
        process = start(command, exit);
        started.set(process);
      }
      int code = process.waitFor();
      // Otherwise this program is being stopped, and the hook ends it.
      return hook.remove() ? code : ExitCode.STOPPED;
    } catch (InterruptedException e) {
      started.get().destroy();
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    }
  }

  /** The cause that a rank reported, repeated as the launcher's remarks follow it. */
  private static String why(String cause, String launcher, int code, Settings settings) {
    if (!cause.isEmpty()) {
      return cause;
    }
    String ended =
        "%s exited with code %s, and no rank reported a cause; ".formatted(launcher, code);
    if (code > KILLED) {
      return ended
          + "a rank was killed by signal %s; resume from the newest checkpoint with: amb train --resume %s"
              .formatted(
                  code - KILLED,
                  settings.has(RUN_DIRECTORY) ? settings.get(RUN_DIRECTORY) : "its run directory");
    }
    CoreShare share = CoreShare.here(settings.get(WORKERS));
    return ended
        + LAUNCHER
        + " sets the launcher and its options"
        + (share.isEnough() ? "" : "; for " + share.found() + " set 'mpirun --oversubscribe'");
  }

  /** Ends the launcher, which ends its ranks, before this program ends. */
  private static void stop(AtomicReference<Process> started, Path exit) {
    synchronized (started) {
      try {
        Process process = started.get();
        if (process != null) {
          process.destroy();
          Waits.run(() -> process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        Disk.REAL.delete(exit.getParent());
      } catch (IOException e) {
        System.err.println("amb: cannot remove " + exit + ": " + e.getMessage());
      }
      Runtime.getRuntime().halt(ExitCode.STOPPED);
    }
  }

  private static List<String> command(int ranks, List<String> arguments) {
    String launcher = System.getenv().getOrDefault(LAUNCHER, DEFAULT);
    List<String> command = new ArrayList<>(List.of(launcher.strip().split(" +")));
    command.addAll(List.of("-n", Integer.toString(ranks), rankScript().toString()));
    command.addAll(arguments);
    return command;
  }

  private static Path rankScript() {
    Path script = Path.of(System.getProperty(HOME, ""), "bin", "amb-rank").toAbsolutePath();
    if (!Files.isExecutable(script)) {
      throw new UsageException(
          "--engine openmpi: expected %s, found no such file; start the program with scripts/amb",
          script);
    }
    return script;
  }

  private static Process start(List<String> command, Path exit) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      builder.environment().put(ExitFile.VARIABLE, exit.toString());
      return builder.start();
    } catch (IOException e) {
      throw new UsageException(
          "--engine openmpi: expected MPI's launcher %s on the PATH, found none; set %s to another one: %s",
          command.get(0), LAUNCHER, e.getMessage());
    }
  }
}
