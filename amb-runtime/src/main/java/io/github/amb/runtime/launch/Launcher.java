package io.github.amb.runtime.launch;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs a master and its workers, one JVM each, here or on other hosts, under MPJ Express' contract
 * for ranks but without its launcher and daemon, which lose exit codes and leave processes behind.
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
    List<Integer> ranks = IntStream.range(0, plan.ranks()).boxed().toList();
    Rendezvous first =
        new Rendezvous(plan.address(), plan.ranks(), plan.placement().addresses(ranks));
    RunSecret secret = RunSecret.draw();
    try (Lifelines lifelines = Lifelines.open(plan, secret);
        RankCommand command = new RankCommand(plan, first, secret, lifelines);
        Epochs epochs = new Epochs(plan, command, first);
        Crew crew = new Crew(plan.ranks())) {
      Supervisor supervisor = new Supervisor(plan, crew, epochs);
      supervisor.startAll();
      return supervisor.await();
    }
  }
}
