package io.github.amb.runtime;

import static io.github.amb.runtime.host.RankSettings.ENGINE;
import static io.github.amb.runtime.host.RankSettings.OPENMPI;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.thread.UncaughtFailures;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.command.OpenFiles;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.command.Program;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RankControl;
import io.github.amb.runtime.launch.SiteMpi;
import io.github.amb.runtime.train.ExternalLaunch;
import io.github.amb.runtime.train.part.RunParts;
import java.util.List;
import java.util.Map;

/**
 * One rank of a training run, started by the launcher of the site's own MPI:
 *
 * <pre>mpirun -np 4 scripts/amb-rank mnist fmb rms 64 --data-dir DIR</pre>
 */
public final class SiteRank {
  private final SiteMpi.World world;
  private final int rank;

  private SiteRank(SiteMpi.World world) {
    this.world = world;
    rank = world.communicator().rank();
  }

  /**
   * Runs one rank.
   *
   * @param arguments those of {@code amb train}
   */
  public static void main(String[] arguments) {
    Program.start();
    SiteMpi.World world = null;
    try {
      OpenFiles.check();
      world = SiteMpi.find().join();
    } catch (UsageException e) {
      System.err.println("amb: " + e.getMessage());
      RankExit.flushAndHalt(ExitCode.USAGE);
    } catch (Throwable e) {
      System.err.println("amb: " + FailureText.of(e));
      RankExit.flushAndHalt(ExitCode.FAILED);
    }
    RankExit.flushAndHalt(new SiteRank(world).run(List.of(arguments)));
  }

  /** Fails by an abort, so that no rank waits for this one. */
  private int run(List<String> arguments) {
    new UncaughtFailures(
        (thread, failure) -> fail(new EngineException(FailureText.of(thread, failure), failure)));
    try {
      RunParts parts = parts(arguments);
      if (parts == null) {
        world.communicator().close();
        return ExitCode.USAGE;
      }
      ExternalLaunch.train(
          parts,
          rank,
          Membership.fixed(world.communicator()),
          List.of("amb-rank"),
          arguments,
          Map.of("mpi", world.version()));
      world.communicator().close();
      return 0;
    } catch (UsageException e) {
      RankExit.tell(e);
      System.err.flush();
      world.abort(ExitCode.USAGE);
      return ExitCode.USAGE;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  private int fail(Throwable cause) {
    RankExit.tell(RankControl.none(rank), cause);
    System.err.flush();
    world.abort(ExitCode.FAILED);
    return ExitCode.FAILED;
  }

  /**
   * The run's parts; null if a rank cannot make them. The first such rank prints the reason, and
   * all ranks end.
   */
  private RunParts parts(List<String> arguments) {
    RunParts parts = null;
    String problems = "";
    try {
      Program.check(arguments);
      PluginLoader.startRank(arguments);
      parts = ownParts(arguments);
    } catch (UsageException e) {
      problems = e.getMessage();
    }
    int rejecting = world.least(parts == null ? rank : Integer.MAX_VALUE);
    if (rejecting == rank) {
      problems.lines().forEach(line -> System.err.println("amb: rank " + rank + ": " + line));
    }
    return rejecting == Integer.MAX_VALUE ? parts : null;
  }

  private RunParts ownParts(List<String> arguments) {
    int workers = world.communicator().size() - 1;
    if (workers == 0) {
      throw new UsageException(
          "expected at least 2 ranks, a master and a worker, found 1; start them with mpirun -np 3"
              + " scripts/amb-rank …, with the launcher of "
              + world.version());
    }
    Settings typed = ExternalLaunch.settings(arguments);
    if (typed.has(ENGINE) && !typed.get(ENGINE).equals(OPENMPI)) {
      throw new UsageException(
          "--engine: expected openmpi for a rank of the site's MPI, found " + typed.get(ENGINE));
    }
    return ExternalLaunch.parts(typed.with(ENGINE, OPENMPI), workers, rank);
  }
}
