package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.RankReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Rank 2 is lost; training is over before a replacement has joined. */
public final class LateReplacementMain {
  private LateReplacementMain() {}

  /**
   * Arguments after MPJ Express' three: the directory of the logs, whether its log is blocked when
   * rank 2 is lost, and for each replacement what it does: "exit", "hang", "silent" if it hangs
   * when training is over, or "ready" if it reports that first.
   */
  public static void main(String[] args) throws Exception {
    RankControl control = RankControl.start(args);
    Path training = Path.of(args[3], "training");
    Path ready = Path.of(args[3], "ready");
    if (control.rank() == 0) {
      control.send(new RankReport.Training());
      control.flush(60_000);
      Files.createFile(training);
      await(ready);
      control.send(new RankReport.Over());
    } else if (args[1].equals(LaunchedMembership.STANDBY)) {
      int start = Integer.parseInt(System.getProperty(RankControl.PROPERTY).split(" ")[0]);
      replace(control, args[4 + start], ready);
    } else if (control.rank() == 1) {
      await(ready);
    } else {
      await(training);
      if (Boolean.parseBoolean(args[4])) {
        Path log = Path.of(args[3], "rank-2.log");
        Files.delete(log);
        Files.createDirectory(log);
      }
      Runtime.getRuntime().halt(7);
    }
    control.finished();
    Runtime.getRuntime().halt(0);
  }

  private static void replace(RankControl control, String what, Path ready) throws Exception {
    if (what.equals("exit")) {
      Runtime.getRuntime().halt(8);
    }
    if (what.equals("ready")) {
      control.send(new RankReport.Ready());
      control.takeOrder(600_000);
    }
    if (!what.equals("hang")) {
      Files.createFile(ready);
    }
    Thread.sleep(600_000);
  }

  private static void await(Path file) throws IOException, InterruptedException {
    while (!Files.exists(file)) {
      Thread.sleep(5);
    }
  }
}
