package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.RankReport;
import java.nio.file.Files;
import java.nio.file.Path;

/** Rank 1 leaves its generation and joins no other one, while the others compute. */
public final class LateRankMain {
  private LateRankMain() {}

  /** Argument after MPJ Express' three: a file that exists when rank 1 has been killed. */
  public static void main(String[] args) throws Exception {
    RankControl control = RankControl.start(args);
    if (control.rank() == 0) {
      control.send(new RankReport.Training());
    } else if (control.rank() == 1) {
      control.send(new RankReport.Lost(1));
    }
    while (!Files.exists(Path.of(args[3]))) {
      Thread.sleep(20);
    }
    if (control.rank() == 0) {
      control.send(new RankReport.Over());
    }
    control.finished();
    Runtime.getRuntime().halt(0);
  }
}
