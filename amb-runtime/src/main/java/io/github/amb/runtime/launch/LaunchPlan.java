package io.github.amb.runtime.launch;

import io.github.amb.core.command.UsageException;
import io.github.amb.runtime.console.RunView;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What {@link Launcher} starts.
 *
 * @param ranks number of ranks, including the master; at least 2
 * @param address address on which the launcher listens for its ranks
 * @param jvmArguments for every rank, after the launcher's own, for example {@code -Xmx256m}
 * @param workerJvmArguments for every worker, after those for every rank
 * @param mainClass receives rank, configuration and device before {@code arguments}
 * @param arguments the program's own
 * @param environment variables to set or replace
 * @param logDirectory receives {@code rank-<n>.log}, standard output and error of each rank
 * @param startLimit limit for all ranks to listen and connect
 * @param masterOutput receives each line of the master's standard output
 * @param survival which rank failures the run survives
 * @param placement which rank runs on which host
 * @param view shows how many ranks have started, and how far the master is
 */
public record LaunchPlan(
    int ranks,
    InetAddress address,
    List<String> jvmArguments,
    List<String> workerJvmArguments,
    String mainClass,
    List<String> arguments,
    Map<String, String> environment,
    Path logDirectory,
    Duration startLimit,
    Consumer<String> masterOutput,
    FailurePolicy survival,
    RankPlacement placement,
    RunView view) {

  /** Default of {@link #startLimit}. */
  public static final Duration START_LIMIT = Duration.ofSeconds(60);

  /**
   * Copies the lists.
   *
   * @throws UsageException if there are fewer than two ranks
   */
  public LaunchPlan {
    if (ranks < 2) {
      throw new UsageException(
          "--workers: expected at least 1, found " + (ranks - 1) + "; add workers");
    }
    jvmArguments = List.copyOf(jvmArguments);
    workerJvmArguments = List.copyOf(workerJvmArguments);
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }

  /** The address on which a rank listens. */
  public InetAddress address(int rank) {
    RankPlacement.Place place = placement.of(rank);
    return place == null ? address : place.address();
  }

  /** A plan for this host alone: loopback, no extra environment, {@link #START_LIMIT}. */
  public static LaunchPlan local(
      int ranks,
      List<String> jvmArguments,
      String mainClass,
      List<String> arguments,
      Path logDirectory,
      Consumer<String> masterOutput) {
    return new LaunchPlan(
        ranks,
        InetAddress.getLoopbackAddress(),
        jvmArguments,
        List.of(),
        mainClass,
        arguments,
        Map.of(),
        logDirectory,
        START_LIMIT,
        masterOutput,
        FailurePolicy.NONE,
        RankPlacement.HERE,
        RunView.none());
  }

  /** This plan with other {@link #workerJvmArguments}. */
  public LaunchPlan withWorkerJvm(List<String> jvmArguments) {
    return new LaunchPlan(
        ranks,
        address,
        this.jvmArguments,
        jvmArguments,
        mainClass,
        arguments,
        environment,
        logDirectory,
        startLimit,
        masterOutput,
        survival,
        placement,
        view);
  }

  /** This plan with another {@link #environment}. */
  public LaunchPlan withEnvironment(Map<String, String> variables) {
    return new LaunchPlan(
        ranks,
        address,
        jvmArguments,
        workerJvmArguments,
        mainClass,
        arguments,
        variables,
        logDirectory,
        startLimit,
        masterOutput,
        survival,
        placement,
        view);
  }

  /** This plan with another {@link #startLimit}. */
  public LaunchPlan within(Duration limit) {
    return new LaunchPlan(
        ranks,
        address,
        jvmArguments,
        workerJvmArguments,
        mainClass,
        arguments,
        environment,
        logDirectory,
        limit,
        masterOutput,
        survival,
        placement,
        view);
  }

  /** This plan with another {@link #survival}. */
  public LaunchPlan surviving(FailurePolicy chosen) {
    return new LaunchPlan(
        ranks,
        address,
        jvmArguments,
        workerJvmArguments,
        mainClass,
        arguments,
        environment,
        logDirectory,
        startLimit,
        masterOutput,
        chosen,
        placement,
        view);
  }

  /** This plan with another {@link #view}. */
  public LaunchPlan shownIn(RunView chosen) {
    return new LaunchPlan(
        ranks,
        address,
        jvmArguments,
        workerJvmArguments,
        mainClass,
        arguments,
        environment,
        logDirectory,
        startLimit,
        masterOutput,
        survival,
        placement,
        chosen);
  }

  /** This plan with ranks on other hosts, which reach this host at {@code address}. */
  public LaunchPlan placed(InetAddress address, RankPlacement placement) {
    return new LaunchPlan(
        ranks,
        address,
        jvmArguments,
        workerJvmArguments,
        mainClass,
        arguments,
        environment,
        logDirectory,
        startLimit,
        masterOutput,
        survival,
        placement,
        view);
  }
}
