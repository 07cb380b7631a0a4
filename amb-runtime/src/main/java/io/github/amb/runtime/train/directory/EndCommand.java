package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.console.OutputSettings.ON_END;

import io.github.amb.core.record.ExitCode;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The command of {@code --on-end}. A shell that no signal to the program's group ends waits until
 * this is closed, or the program ends in any way, and runs the command then.
 */
public final class EndCommand implements AutoCloseable {
  /** Each line it reads replaces the one before: run, exit code, cause. */
  private static final String SHELL =
      """
      trap '' HUP INT TERM
      while IFS='\t' read -r run code cause; do
        export AMB_RUN="$run" AMB_EXIT_CODE="$code" AMB_CAUSE="$cause"
      done
      exec timeout 60 sh -c "$1"
      """;

  /** Runs nothing. */
  static final EndCommand NONE = new EndCommand(null, null);

  private final Path run;
  private final Process shell;

  private EndCommand(Path run, Process shell) {
    this.run = run;
    this.shell = shell;
  }

  /**
   * Begins to wait for the end of a run in this directory.
   *
   * @throws IOException if there is no shell
   */
  public static EndCommand of(Settings settings, Path run) throws IOException {
    if (!settings.has(ON_END)) {
      return NONE;
    }
    ProcessBuilder shell =
        new ProcessBuilder(List.of("sh", "-c", SHELL, "amb", settings.get(ON_END)));
    shell
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT);
    EndCommand command = new EndCommand(run, shell.start());
    command.say(new RunOutcome(ExitCode.FAILED, "the program was killed"));
    return command;
  }

  /** What the command is told, unless this is called again. */
  void say(RunOutcome outcome) {
    if (shell == null) {
      return;
    }
    String cause = outcome.cause().replaceAll("\\s+", " ");
    String line = run.toAbsolutePath() + "\t" + outcome.exitCode() + "\t" + cause + "\n";
    try {
      OutputStream out = shell.getOutputStream();
      out.write(line.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      unheard(e);
    }
  }

  private static void unheard(IOException e) {
    System.err.println("amb: --on-end does not receive how the run ended: " + e.getMessage());
  }

  /** Runs the command, and waits for its end. */
  @Override
  public void close() {
    if (shell != null) {
      try {
        shell.getOutputStream().close();
      } catch (IOException e) {
        unheard(e);
      }
      Waits.uninterrupted(shell::waitFor);
    }
  }
}
