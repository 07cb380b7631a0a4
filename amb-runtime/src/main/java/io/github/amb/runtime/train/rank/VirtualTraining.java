package io.github.amb.runtime.train.rank;

import static io.github.amb.runtime.fault.FaultSettings.DEAD_AFTER;
import static io.github.amb.runtime.fault.FaultSettings.RESPAWN;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.Message;
import io.github.amb.core.sim.Episodes;
import io.github.amb.core.sim.RemovedException;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.console.Progress;
import io.github.amb.runtime.fault.Injected;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A run on the virtual cluster, whose ranks are threads of this process.
 *
 * @param run checked, with all costs known
 * @param output keeps the records and checkpoints
 * @param owner the program that the run belongs to
 * @param host what all ranks share
 * @param view receives how far training is
 * @param respawned number of replacements so far
 */
public record VirtualTraining(
    RunParts run,
    RunOutput output,
    RunOwner owner,
    VirtualEnvironment host,
    Consumer<Progress> view,
    AtomicInteger respawned) {
  /** Nanoseconds of virtual time that a replacement takes to start. */
  private static final long START = 2_000_000_000L;

  /** Ends a virtual rank's program. */
  static final class Killed extends RuntimeException {
    /** Nanoseconds of virtual time until the others notice. */
    final long detection;

    /** When another program may start in its place, nanoseconds. */
    final long repaired;

    Killed(double seconds) {
      this(seconds, 0);
    }

    Killed(double seconds, long repaired) {
      detection = Clock.nanos(seconds);
      this.repaired = repaired;
    }
  }

  /** A worker on a node that fails: it is gone when it next sends a result. */
  private static final class FailingNode extends ForwardingMembership {
    private final Clock clock;
    private final Episodes failures;
    private final VirtualEnvironment host;
    private final double detection;
    private final long begins;

    FailingNode(
        Membership membership,
        Clock clock,
        Episodes failures,
        VirtualEnvironment host,
        double detection) {
      super(membership);
      this.clock = clock;
      this.failures = failures;
      this.host = host;
      this.detection = detection;
      long now = clock.now();
      begins = failures.end(failures.at(now) ? failures.end(now) : now);
    }

    @Override
    protected Generation joined(Generation generation, EngineException before) {
      Communicator checked =
          new ForwardingCommunicator(generation.communicator()) {
            @Override
            protected void sending(int to, Message message) {
              if (message.isResult() && clock.now() >= begins) {
                fail(generation.self(), message.step());
              }
            }
          };
      return new Generation(
          generation.number(), generation.members(), checked, generation.reason());
    }

    private void fail(int rank, long step) {
      double time = Clock.seconds(0, begins);
      host.faults().accept(new Injected("node-" + rank, "", "failure", rank, step, time));
      throw new Killed(detection, failures.end(begins));
    }
  }

  /**
   * Trains.
   *
   * @param run checked, with all costs known
   * @param output keeps the records and checkpoints
   * @param view receives how far training is
   * @throws IOException if a log cannot be written
   * @throws RuntimeException the first failure of a rank
   */
  public static void run(RunParts run, RunOutput output, RunOwner owner, Consumer<Progress> view)
      throws IOException {
    try (VirtualEnvironment host = new VirtualEnvironment(run, output.faults())) {
      AtomicInteger none = new AtomicInteger();
      host.cluster.run(new VirtualTraining(run, output, owner, host, view, none)::rank);
    }
  }

  private void rank(Communicator communicator, Clock clock) {
    int rank = communicator.rank();
    boolean master = rank == Communicator.MASTER;
    try (PrintStream console = output.console(rank, false)) {
      if (master) {
        new TrainRank(run, rank, clock, console, host, owner)
            .master(
                output,
                new MinimumMembership(host.cluster.membership(rank), run.minWorkers()),
                view);
      } else {
        worker(rank, clock, console);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a worker, and its replacements after failures. */
  private void worker(int rank, Clock clock, PrintStream console) throws IOException {
    VirtualCluster cluster = host.cluster;
    Episodes failures = host.model.nodes().get(rank).failures();
    double detection = run.settings().get(DEAD_AFTER);
    Membership membership = cluster.membership(rank);
    while (membership != null) {
      try {
        Membership own =
            failures == null
                ? membership
                : new FailingNode(membership, clock, failures, host, detection);
        new TrainRank(run, rank, clock, console, host, owner).worker(own);
        membership = null;
      } catch (Killed e) {
        cluster.die(rank, e.detection);
        clock.sleep(Math.max(e.detection + START, e.repaired - clock.now()));
        membership = replacement(rank);
      } catch (RemovedException e) {
        clock.sleep(START);
        membership = replacement(rank);
      } catch (LostException e) {
        membership = null; // Training was complete before the replacement could join.
      }
    }
  }

  private Membership replacement(int rank) {
    return respawned.incrementAndGet() <= run.settings().get(RESPAWN)
        ? host.cluster.replacement(rank)
        : null;
  }
}
