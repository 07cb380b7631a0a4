package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.MASTER_HEAP;
import static io.github.amb.runtime.config.TrainSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.config.TrainSettings.START_LIMIT;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;
import static io.github.amb.runtime.config.TrainSettings.WORKER_HEAP;

import io.github.amb.core.command.Command;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Train;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Help;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.Terminal;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code amb train}: checks everything, makes the run directory, and starts the ranks. */
public final class TrainCommand implements Command {
  @Override
  public String name() {
    return "train";
  }

  @Override
  public String summary() {
    return "train a network on a master and workers";
  }

  @Override
  public int run(List<String> arguments) throws IOException, InterruptedException {
    CommandLine line = CommandLine.parse(arguments);
    if (line.help()) {
      System.out.print(Help.text());
      return 0;
    }
    if (line.printConfig()) {
      System.out.print(Help.configuration(line.settings()));
      return 0;
    }
    RunParts parts = RunParts.of(line.settings());
    List<String> command = new ArrayList<>(List.of("amb", "train"));
    command.addAll(arguments);
    RunDirectory run = RunWriter.create(parts.settings(), command);
    return train(parts, run);
  }

  private static int train(RunParts parts, RunDirectory run)
      throws IOException, InterruptedException {
    try (Terminal terminal = new Terminal(System.out)) {
      Outcome outcome =
          parts.settings().get(WORKERS) == 0
              ? local(parts, run, terminal)
              : launch(parts.settings(), run, terminal);
      RunWriter.end(run, outcome.exitCode(), outcome.cause());
      terminal.finish();
      if (outcome.exitCode() == 0) {
        System.out.println(run.path());
      } else {
        System.err.println("amb: " + outcome.cause());
      }
      return outcome.exitCode();
    }
  }

  private static Outcome local(RunParts parts, RunDirectory run, Terminal terminal)
      throws IOException, InterruptedException {
    new TrainRank(parts, new SystemClock(), terminal.stream()).local(run);
    return new Outcome(0, "done");
  }

  private static Outcome launch(Settings settings, RunDirectory run, Terminal terminal)
      throws IOException, InterruptedException {
    List<String> arguments = settings.with(RUN_DIRECTORY, run.path()).toArguments();
    LaunchPlan plan =
        LaunchPlan.local(
                settings.get(WORKERS) + 1,
                List.of("-Xmx" + settings.get(MASTER_HEAP) + "m"),
                Train.class.getName(),
                arguments,
                run.path(),
                terminal::line)
            .withWorkerJvm(List.of("-Xmx" + settings.get(WORKER_HEAP) + "m"))
            .within(Duration.ofMillis((long) (settings.get(START_LIMIT) * 1e3)));
    return Launcher.run(plan);
  }
}
