package io.github.amb.bench.transport;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.launch.RankReport;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.site.SiteMpi;
import java.util.Arrays;

/**
 * One rank of {@link BandwidthBenchmark} on MPJ or on the site's MPI, whichever started it; the
 * master prints a line per step.
 */
public final class BandwidthRank {
  private BandwidthRank() {}

  /** Runs {@code length steps} behind what the launcher gives. */
  public static void main(String[] args) {
    boolean mpj = MpjEngine.isRank(args);
    int code = 0;
    int rank = 0;
    try {
      if (mpj) {
        ParentWatch.start();
      }
      Communicator engine = mpj ? MpjEngine.join(args) : SiteMpi.find().join().communicator();
      rank = engine.rank();
      String[] own = mpj ? Arrays.copyOfRange(args, 3, args.length) : args;
      new StarExchange(engine, new SystemClock(), Integer.parseInt(own[0]))
          .run(
              Integer.parseInt(own[1]),
              (reduce, broadcast) -> System.out.println("step " + reduce + " " + broadcast));
      if (mpj) {
        RankReport.finished(rank);
      }
      engine.close();
    } catch (Throwable e) {
      e.printStackTrace();
      RankReport.failed(rank, e.toString());
      code = 1;
    }
    System.out.flush();
    Runtime.getRuntime().halt(code);
  }
}
