package io.github.amb.runtime.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The kernel's counters of processes that it killed as memory ran out. */
public final class OutOfMemoryKills {
  private static final String COUNTER = "oom_kill ";

  private final List<Path> counters;
  private final long before;

  /**
   * Counts from now on.
   *
   * @param counters files with a line of the counter; unreadable ones are ignored
   */
  OutOfMemoryKills(List<Path> counters) {
    this.counters = List.copyOf(counters);
    before = count();
  }

  /** The counters of this host and of this process' control groups. */
  public static OutOfMemoryKills here() {
    List<Path> counters = new ArrayList<>();
    counters.add(Path.of("/proc/vmstat"));
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String[] parts = line.split(":", 3);
        if (parts[1].isEmpty()) {
          counters.add(Path.of("/sys/fs/cgroup", parts[2], "memory.events"));
        } else if (parts[1].equals("memory")) {
          counters.add(Path.of("/sys/fs/cgroup/memory", parts[2], "memory.oom_control"));
        }
      }
    } catch (IOException e) {
      // Not Linux.
    }
    return new OutOfMemoryKills(counters);
  }

  /** Whether the kernel has killed a process since this object was made. */
  public boolean happened() {
    return count() > before;
  }

  private long count() {
    return counters.stream().mapToLong(OutOfMemoryKills::count).sum();
  }

  private static long count(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(COUNTER))
          .mapToLong(line -> Long.parseLong(line.substring(COUNTER.length()).strip()))
          .sum();
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
