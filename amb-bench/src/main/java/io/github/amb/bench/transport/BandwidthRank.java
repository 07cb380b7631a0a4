package io.github.amb.bench.transport;

import io.github.amb.core.engine.SystemClock;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.launch.RankReport;
import io.github.amb.runtime.mpj.MpjEngine;

/** One rank of {@link BandwidthBenchmark} on MPJ; the master prints a line per step. */
public final class BandwidthRank {
  private BandwidthRank() {}

  /** Runs {@code length steps}. */
  public static void main(String[] args) {
    ParentWatch.start();
    int code = 0;
    try {
      MpjEngine engine = MpjEngine.join(args);
      String[] own = engine.remaining();
      new StarExchange(engine, new SystemClock(), Integer.parseInt(own[0]))
          .run(
              Integer.parseInt(own[1]),
              (reduce, broadcast) -> System.out.println("step " + reduce + " " + broadcast));
      RankReport.finished(engine.rank());
      engine.close();
    } catch (Throwable e) {
      e.printStackTrace();
      RankReport.failed(Integer.parseInt(args[0]), e.toString());
      code = 1;
    }
    Runtime.getRuntime().halt(code);
  }
}
