package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The kernel's counters of processes that it killed as memory ran out. */
public final class OutOfMemoryKills {
  private static final String COUNTER = "oom_kill ";

  /** Longest time from the kernel's kill of a process to the launcher's knowledge of its end. */
  static final long RECENT = TimeUnit.SECONDS.toNanos(5);

  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

  private final List<Path> counters;
  private final LongSupplier clock;
  private long seen;
  private long read;
  private long risen;

  /**
   * Counts from now on.
   *
   * @param counters files with a line of the counter; unreadable ones are ignored
   * @param clock nanoseconds since any instant
   */
  OutOfMemoryKills(List<Path> counters, LongSupplier clock) {
    this.counters = List.copyOf(counters);
    this.clock = clock;
    seen = count();
    read = clock.getAsLong();
    risen = read - 2 * RECENT;
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
    return new OutOfMemoryKills(counters, System::nanoTime);
  }

  /** Reads the counters once a second; to be called more often than that. */
  public void watch() {
    if (clock.getAsLong() - read >= INTERVAL) {
      read();
    }
  }

  /**
   * Whether the kernel has killed a process within the last 5 s. An earlier kill is that of another
   * program on this host, and says nothing about a rank that ends now.
   */
  public boolean happened() {
    read();
    return read - risen <= RECENT;
  }

  private void read() {
    long now = count();
    read = clock.getAsLong();
    if (now > seen) {
      risen = read;
    }
    seen = now;
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
