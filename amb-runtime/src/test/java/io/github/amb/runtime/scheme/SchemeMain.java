package io.github.amb.runtime.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.runtime.launch.ExitFile;
import io.github.amb.runtime.launch.RankControl;
import io.github.amb.runtime.mpj.MpjEngine;

/** A rank that runs one {@link SchemeJob} after the other on the same engine. */
public final class SchemeMain {
  private SchemeMain() {}

  /** Runs one rank and ends the process; the arguments are jobs. */
  public static void main(String[] args) throws Exception {
    RankControl control = RankControl.start(args);
    int rank = Integer.parseInt(args[0]);
    int code = 0;
    try {
      MpjEngine engine = MpjEngine.join(args, control.meeting(1));
      for (String job : engine.remaining()) {
        run(SchemeJob.parse(job), engine);
      }
      engine.close();
      control.finished();
    } catch (Throwable e) {
      e.printStackTrace();
      control.failed(e, e.toString());
      code = 1;
    }
    if (rank == 0 || code != 0) {
      ExitFile.record(code, "", true);
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
