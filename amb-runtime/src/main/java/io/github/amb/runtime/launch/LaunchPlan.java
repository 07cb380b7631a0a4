package io.github.amb.runtime.launch;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.console.RunView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * What {@link Launcher} starts.
 *
 * @param ranks number of ranks, including the master; at least 2
 * @param program what a rank runs
 * @param logDirectory receives {@code rank-<n>.log}, standard output and error of each rank
 * @param startLimit limit for all ranks to listen and connect
 * @param masterOutput receives each line of the master's standard output
 * @param survival which rank failures the run survives
 * @param placement which rank runs on which host
 * @param view shows how many ranks have started, and how far the master is
 */
public record LaunchPlan(
    int ranks,
    Program program,
    Path logDirectory,
    Duration startLimit,
    Consumer<String> masterOutput,
    FailurePolicy survival,
    RankPlacement placement,
    RunView view) {

  /**
   * What a rank runs. The lists are copied.
   *
   * @param jvmArguments for every rank, after the launcher's own, for example {@code -Xmx256m}
   * @param workerJvmArguments for every worker, after those for every rank
   * @param mainClass receives rank, configuration and device before {@code arguments}
   * @param arguments the program's own
   * @param input a line without its end, which {@link RankControl#input} returns in the rank
   * @param environment variables of a rank to set or replace
   */
  public record Program(
      List<String> jvmArguments,
      List<String> workerJvmArguments,
      String mainClass,
      List<String> arguments,
      String input,
      IntFunction<Map<String, String>> environment) {
    public Program {
      jvmArguments = List.copyOf(jvmArguments);
      workerJvmArguments = List.copyOf(workerJvmArguments);
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * @throws UsageException if there are fewer than two ranks
   */
  public LaunchPlan {
    if (ranks < 2) {
      throw new UsageException(
          "--workers: expected at least 1, found " + (ranks - 1) + "; add workers");
    }
  }

  /** A plan for this host alone: no extra environment, a minute to start, no failure survived. */
  public static LaunchPlan local(
      int ranks,
      List<String> jvmArguments,
      String mainClass,
      List<String> arguments,
      Path logDirectory,
      Consumer<String> masterOutput) {
    return new LaunchPlan(
        ranks,
        new Program(jvmArguments, List.of(), mainClass, arguments, "", rank -> Map.of()),
        logDirectory,
        Duration.ofMinutes(1),
        masterOutput,
        FailurePolicy.NONE,
        RankPlacement.HERE,
        RunView.none());
  }
}
