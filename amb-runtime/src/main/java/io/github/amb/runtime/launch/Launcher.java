package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.file.Files;

/**
 * Runs a master and its workers, one JVM each on this host, under MPJ Express' contract for ranks
 * but without its launcher and daemon, which lose exit codes and leave processes behind.
 */
public final class Launcher {
  private Launcher() {}

  /**
   * Runs {@code plan} to its end; on return no rank is left.
   *
   * @throws io.github.amb.core.command.UsageException if MPJ Express is not installed
   * @throws IOException if a log or a process cannot be created
   * @throws InterruptedException if the calling thread is; the ranks are gone then, too
   */
  public static Outcome run(LaunchPlan plan) throws IOException, InterruptedException {
    Files.createDirectories(plan.logDirectory());
    try (Rendezvous rendezvous = new Rendezvous(plan.address(), plan.ranks());
        Crew crew = new Crew(plan.ranks())) {
      RankCommand command = new RankCommand(plan, rendezvous);
      Supervisor supervisor = new Supervisor(plan, crew, rendezvous);
      for (int rank = 0; rank < plan.ranks(); rank++) {
        crew.add(supervisor.start(rank, command.of(rank)));
      }
      return supervisor.await();
    }
  }
}
