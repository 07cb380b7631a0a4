package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.MASTER_HEAP;
import static io.github.amb.runtime.config.TrainSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.config.TrainSettings.START_LIMIT;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;
import static io.github.amb.runtime.config.TrainSettings.WORKER_HEAP;

import io.github.amb.core.command.Command;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Amb;
import io.github.amb.runtime.Train;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Help;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.Terminal;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.Outcome;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code amb train}: checks everything, makes the run directory, and starts the ranks. */
public final class TrainCommand implements Command {
  /** How long ranks may take to end when the program is stopped: longer than the launcher waits. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(9);

  @Override
  public String name() {
    return "train";
  }

  @Override
  public String summary() {
    return "train a network on a master and workers";
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    CommandLine line = CommandLine.parse(arguments);
    if (line.help()) {
      System.out.print(Help.text());
      return 0;
    }
    if (line.printConfig()) {
      System.out.print(Help.configuration(line.settings()));
      return 0;
    }
    line.ignored()
        .forEach(
            option ->
                System.err.println(
                    "amb: " + option + " is ignored: gradients are computed on the CPU"));
    RunParts parts = RunParts.of(ReplayedRun.complete(line.settings()));
    if (parts.simulated()) {
      parts = Calibration.price(parts);
    } else if (parts.settings().get(WORKERS) > 0) {
      WorldLoader.findJar();
    }
    List<String> command = new ArrayList<>(List.of("amb", "train"));
    command.addAll(arguments);
    return train(parts, RunWriter.create(parts.settings(), command));
  }

  private static int train(RunParts parts, RunDirectory run) throws IOException {
    boolean local = parts.simulated() || parts.settings().get(WORKERS) == 0;
    try (Terminal terminal = new Terminal(System.out);
        RunEnding ending = new RunEnding(run, local ? Duration.ZERO : STOP_LIMIT)) {
      Outcome outcome =
          local ? here(parts, run, terminal) : launch(parts.settings(), run, terminal);
      terminal.finish();
      ending.tell(outcome);
      return outcome.exitCode();
    }
  }

  private static Outcome here(RunParts parts, RunDirectory run, Terminal terminal)
      throws IOException {
    return parts.simulated() ? VirtualRun.run(parts, run, terminal) : local(parts, run, terminal);
  }

  /** A failure becomes an outcome, with its trace in the log, as that of a rank does. */
  private static Outcome local(RunParts parts, RunDirectory run, Terminal terminal)
      throws IOException {
    try (PrintStream log =
        new PrintStream(Files.newOutputStream(run.console(0)), true, StandardCharsets.UTF_8)) {
      try {
        new TrainRank(parts, new SystemClock(), log).local(run, terminal.stream());
        return new Outcome(0, "");
      } catch (Exception | OutOfMemoryError e) {
        e.printStackTrace(log);
        return new Outcome(Amb.FAILED, Amb.describe(e));
      }
    }
  }

  private static Outcome launch(Settings settings, RunDirectory run, Terminal terminal) {
    try {
      return Launcher.run(plan(settings, run, terminal));
    } catch (UsageException e) {
      return new Outcome(Amb.USAGE, Amb.describe(e));
    } catch (IOException | InterruptedException e) {
      return new Outcome(Amb.FAILED, Amb.describe(e));
    }
  }

  private static LaunchPlan plan(Settings settings, RunDirectory run, Terminal terminal) {
    return LaunchPlan.local(
            settings.get(WORKERS) + 1,
            List.of("-Xmx" + settings.get(MASTER_HEAP) + "m"),
            Train.class.getName(),
            settings.with(RUN_DIRECTORY, run.path()).toArguments(),
            run.path(),
            terminal::line)
        .withWorkerJvm(List.of("-Xmx" + settings.get(WORKER_HEAP) + "m"))
        .within(Duration.ofMillis((long) (settings.get(START_LIMIT) * 1e3)));
  }
}
