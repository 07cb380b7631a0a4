package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.control.RejectedConnections;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.nio.file.Files;

/**
 * Runs a master and its workers, one JVM each, on this or other hosts. Ranks have MPJ Express'
 * arguments, but are started without its launcher and daemon, which lose exit codes and leave
 * processes behind.
 */
public final class Launcher {
  /** System property for tests: ranks on this host, too, report over the network. */
  static final String NETWORK_PROPERTY = "amb.control.network";

  private Launcher() {}

  /**
   * Runs {@code plan} to its end; no rank is left on return.
   *
   * @throws io.github.amb.core.option.UsageException if MPJ Express is not installed
   * @throws IOException if a log or a process cannot be created
   * @throws InterruptedException if the calling thread is interrupted; no rank is left then either
   */
  public static RunOutcome run(LaunchPlan plan) throws IOException, InterruptedException {
    Timeouts timeouts = Timeouts.chosen();
    Files.createDirectories(plan.logDirectory());
    RunSecret secret = RunSecret.draw();
    RejectedConnections rejected = new RejectedConnections(plan.view()::warn);
    try (ControlServer control = listen(plan, secret, timeouts, rejected);
        RankCommand command = new RankCommand(plan, secret, control, timeouts);
        RankProcesses processes = new RankProcesses(control::close, plan.view()::warn)) {
      Supervisor supervisor = new Supervisor(plan, timeouts, processes, command, control, rejected);
      supervisor.startAll();
      return supervisor.await();
    }
  }

  private static ControlServer listen(
      LaunchPlan plan, RunSecret secret, Timeouts timeouts, RejectedConnections rejected)
      throws IOException {
    RankPlacement placement = plan.placement();
    boolean remote = placement.listed() != null;
    boolean files = !Boolean.getBoolean(NETWORK_PROPERTY);
    return new ControlServer(
        placement.launcher(), remote, files, secret, timeouts.control(), rejected);
  }
}
