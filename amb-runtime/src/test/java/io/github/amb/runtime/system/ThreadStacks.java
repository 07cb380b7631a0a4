package io.github.amb.runtime.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Stacks of the threads of Java processes, from {@code jcmd}. */
final class ThreadStacks {
  private static final long LIMIT_SECONDS = 20;

  private ThreadStacks() {}

  /** One text for each running Java process. */
  static List<String> of(Stream<ProcessHandle> processes) {
    return processes.flatMap(process -> of(process).stream()).toList();
  }

  private static Optional<String> of(ProcessHandle process) {
    Path proc = Path.of("/proc/" + process.pid());
    try {
      String words = Files.readString(proc.resolve("cmdline")).replace('\0', ' ').strip();
      if (!words.matches("(\\S*/)?java .*")) {
        return Optional.empty();
      }
      String stat = Files.readString(proc.resolve("stat"));
      boolean stopped = stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
      String stacks = stopped ? "is stopped: no threads to be seen\n" : print(process.pid());
      return Optional.of("--- threads of " + process.pid() + ": " + words + "\n" + stacks);
    } catch (IOException e) {
      return Optional.empty(); // It has ended.
    }
  }

  private static String print(long pid) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Path output = Files.createTempFile("threads", ".txt");
    try {
      Process program =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid), "Thread.print")
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = program.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      program.destroyForcibly();
      return Files.readString(output) + (ended ? "" : "did not answer\n");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted\n";
    } finally {
      Files.delete(output);
    }
  }
}
