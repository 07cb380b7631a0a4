package io.github.amb.runtime.launch;

import io.github.amb.runtime.mpj.RankMain;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A launcher in a process of its own, for tests that kill it. */
public final class LauncherMain {
  private LauncherMain() {}

  /** Arguments: log directory, number of ranks, scenario. */
  public static void main(String[] args) throws Exception {
    LaunchPlan plan =
        LaunchPlan.local(
            Integer.parseInt(args[1]),
            List.of("-Xmx64m"),
            RankMain.class.getName(),
            Arrays.asList(args).subList(2, args.length),
            Path.of(args[0]),
            System.out::println);
    System.exit(Launcher.run(plan).exitCode());
  }
}
