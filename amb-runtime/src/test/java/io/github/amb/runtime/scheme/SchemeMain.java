package io.github.amb.runtime.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.runtime.launch.ExitFile;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.launch.RankReport;
import io.github.amb.runtime.mpj.MpjEngine;

/** A rank that runs one {@link SchemeJob} after the other on the same engine. */
public final class SchemeMain {
  private SchemeMain() {}

  /** Runs one rank and ends the process; the arguments are jobs. */
  public static void main(String[] args) throws Exception {
    ParentWatch.start();
    int rank = Integer.parseInt(args[0]);
    int code = 0;
    try {
      MpjEngine engine = MpjEngine.join(args);
      for (String job : engine.remaining()) {
        run(SchemeJob.parse(job), engine);
      }
      engine.close();
      RankReport.finished(rank);
    } catch (Throwable e) {
      e.printStackTrace();
      RankReport.failed(rank, e.toString());
      code = 1;
    }
    if (rank == 0 || code != 0) {
      ExitFile.record(code);
    }
    Runtime.getRuntime().halt(code);
  }

  private static void run(SchemeJob job, MpjEngine engine) {
    if (engine.rank() == Communicator.MASTER) {
      System.out.println(job.master(engine, new SystemClock()));
    } else {
      job.worker(engine, new SystemClock());
    }
  }
}
