package io.github.amb.runtime.mpj;

import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.Plans;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * A finished run of {@link RankMain}.
 *
 * @param lines what the master printed
 */
public record Ranks(RunOutcome outcome, List<String> lines) {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  /** Runs scenario {@code arguments} on {@code ranks} ranks. */
  public static Ranks run(int ranks, String flags, Path logs, String... arguments)
      throws Exception {
    return run(ranks, flags, logs, START_LIMIT, arguments);
  }

  /** Runs scenario {@code arguments} on {@code ranks} ranks that must meet within a limit. */
  public static Ranks run(
      int ranks, String flags, Path logs, Duration startLimit, String... arguments)
      throws Exception {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    LaunchPlan plan =
        LaunchPlan.local(
            ranks,
            List.of(flags.split(" ")),
            RankMain.class.getName(),
            List.of(arguments),
            logs,
            lines::add);
    return new Ranks(Launcher.run(Plans.within(plan, startLimit)), lines);
  }

  /** Processes of a rank of {@link RankMain} that this JVM or its descendants run. */
  public static List<ProcessHandle> running(int rank) {
    return ProcessHandle.current().descendants().filter(process -> isRank(process, rank)).toList();
  }

  private static boolean isRank(ProcessHandle process, int rank) {
    try {
      Path file = Path.of("/proc/" + process.pid() + "/cmdline");
      List<String> words = List.of(Files.readString(file).split("\0"));
      int main = words.indexOf(RankMain.class.getName());
      return main > 0 && words.get(main + 1).equals(Integer.toString(rank));
    } catch (IOException e) {
      return false; // It has ended.
    }
  }

  /**
   * Whether each thread of a process is stopped; it stops only when it returns from the kernel.
   *
   * @throws IOException if there is no such process
   */
  public static boolean isStopped(long pid) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.allMatch(Ranks::isThreadStopped);
    }
  }

  private static boolean isThreadStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return false; // It has ended. If the process has, listing its threads fails next time.
    }
  }

  /** Processes of {@link RankMain} that this JVM or its descendants have left behind. */
  public static List<Long> leftBehind() {
    return ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .filter(p -> p.info().commandLine().orElse("").contains(RankMain.class.getName()))
        .map(ProcessHandle::pid)
        .toList();
  }
}
