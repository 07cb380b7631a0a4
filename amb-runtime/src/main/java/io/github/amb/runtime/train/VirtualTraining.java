package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.RESPAWN;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.sim.ExcludedException;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.Amb;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A run on the virtual cluster, whose ranks are threads of this process. */
final class VirtualTraining {
  /** Nanoseconds of virtual time that a replacement takes to start. */
  private static final long START = 2_000_000_000L;

  private final RunParts run;
  private final RunDirectory directory;
  private final VirtualEnvironment host;
  private final RunView view;
  private final VirtualCluster cluster;
  private final AtomicInteger respawned = new AtomicInteger();

  private VirtualTraining(
      RunParts run,
      RunDirectory directory,
      VirtualEnvironment host,
      RunView view,
      VirtualCluster cluster) {
    this.cluster = cluster;
    this.run = run;
    this.directory = directory;
    this.host = host;
    this.view = view;
  }

  /**
   * Trains. A failure of any rank becomes the outcome, with its stack trace in the master's log.
   *
   * @param run checked, with all costs known
   * @param directory receives the records and checkpoints
   * @param view shows how far training is
   * @return how the run ended
   * @throws IOException if a log cannot be written
   */
  static RunOutcome run(RunParts run, RunDirectory directory, RunView view) throws IOException {
    try {
      Simulation simulation = Simulation.of(run);
      try (VirtualEnvironment host = new VirtualEnvironment(run, simulation)) {
        VirtualCluster cluster = simulation.cluster();
        cluster.run(new VirtualTraining(run, directory, host, view, cluster)::rank);
      }
      return new RunOutcome(0, "");
    } catch (UsageException e) {
      return new RunOutcome(Amb.USAGE, Amb.describe(e));
    } catch (TooFewWorkersException e) {
      return new RunOutcome(e.exitCode(), e.getMessage());
    } catch (RuntimeException | Error e) {
      trace(directory, e);
      return FailureKinds.of(e);
    }
  }

  /** Writes the stack trace to the log; a failure to write does not hide the cause. */
  private static void trace(RunDirectory directory, Throwable cause) {
    try (PrintStream log = log(directory, 0)) {
      cause.printStackTrace(log);
    } catch (IOException e) {
      System.err.println("amb: cannot write " + directory.console(0) + ": " + e.getMessage());
    }
  }

  private void rank(Communicator communicator, Clock clock) {
    int rank = communicator.rank();
    boolean master = rank == Communicator.MASTER;
    try (PrintStream console = log(directory, rank)) {
      if (master) {
        new TrainRank(run, clock, console, host)
            .master(
                directory,
                new MinimumMembership(cluster.membership(rank), run.minWorkers()),
                view::progress);
      } else {
        worker(rank, clock, console);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a worker, and its replacements after failures. */
  private void worker(int rank, Clock clock, PrintStream console) throws IOException {
    Membership membership = cluster.membership(rank);
    while (membership != null) {
      try {
        new TrainRank(run, clock, console, host).worker(membership);
        membership = null;
      } catch (VirtualSignals.Killed e) {
        cluster.die(rank, e.detection());
        clock.sleep(e.detection() + START);
        membership = replacement(rank);
      } catch (ExcludedException e) {
        clock.sleep(START);
        membership = replacement(rank);
      } catch (LostException e) {
        membership = null; // Training was complete before the replacement could join.
      }
    }
  }

  private Membership replacement(int rank) {
    return respawned.incrementAndGet() <= run.settings().get(RESPAWN)
        ? cluster.replacement(rank)
        : null;
  }

  private static PrintStream log(RunDirectory directory, int rank) throws IOException {
    RankLogFile file = new RankLogFile(directory.console(rank));
    return new PrintStream(file, false, StandardCharsets.UTF_8);
  }
}
