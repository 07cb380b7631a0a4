package io.github.amb.bench.harness;

import io.github.amb.core.engine.Communicator;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.RankControl;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.SiteMpi;
import io.github.amb.runtime.mpj.MpjEngine;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A process that is one rank of a benchmark, on MPJ or on the site's MPI, depending on the
 * launcher.
 */
public final class BenchRank {
  private BenchRank() {}

  /** The work of the rank. */
  public interface Work {
    /**
     * Does the work.
     *
     * @param own the program's arguments after the launcher's
     */
    void run(Communicator engine, String[] own) throws Throwable;
  }

  /**
   * Starts ranks on this program's launcher and waits for their end.
   *
   * @param lines receives the lines that the master prints
   * @throws IOException if a rank fails
   */
  public static void launch(
      int ranks, List<String> flags, Class<?> main, List<String> arguments, Consumer<String> lines)
      throws IOException, InterruptedException {
    try (TemporaryDirectory logs = new TemporaryDirectory()) {
      RunOutcome outcome =
          Launcher.run(
              LaunchPlan.local(ranks, flags, main.getName(), arguments, logs.path(), lines));
      if (outcome.exitCode() != 0) {
        throw new IOException(outcome.cause());
      }
    }
  }

  /** Joins the process group, does the work, leaves, and ends the process. */
  public static void run(String[] args, Work work) {
    boolean mpj = MpjEngine.isRank(args);
    int code = 0;
    RankControl control = mpj ? RankControl.start(args) : RankControl.none(0);
    try {
      Communicator engine =
          mpj ? MpjEngine.join(args, control.meeting(1)) : SiteMpi.find().join().communicator();
      work.run(engine, mpj ? Arrays.copyOfRange(args, 3, args.length) : args);
      control.finished();
      engine.close();
    } catch (Throwable e) {
      e.printStackTrace();
      control.failed(e, e.toString());
      code = 1;
    }
    System.out.flush();
    Runtime.getRuntime().halt(code);
  }
}
