package io.github.amb.bench.harness;

import io.github.amb.core.file.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Processor time since the start of the machine, in clock ticks, summed over all cores (Linux).
 *
 * @param total ticks of all kinds, idle included
 * @param busy ticks of all processes and interrupts
 * @param stolen ticks that a hypervisor gave to other machines
 * @param own ticks of this process, of its living descendants, and of those that ended and were
 *     waited for
 */
record CpuTimes(long total, long busy, long stolen, long own) {
  private static final int USER = 0;
  private static final int NICE = 1;
  private static final int SYSTEM = 2;
  private static final int IRQ = 5;
  private static final int SOFT_IRQ = 6;
  private static final int STEAL = 7;

  /**
   * Number of columns of {@code /proc/stat} to add; later ones, for guests, are part of {@code
   * user}.
   */
  private static final int COLUMNS = 8;

  /** Index of {@code utime} among the fields of {@code /proc/PID/stat} that follow the name. */
  private static final int USER_TIME = 11;

  private static final int OWN_TIMES = 4;

  /** What a kernel without {@code /proc} reports. */
  private static final CpuTimes UNKNOWN = new CpuTimes(0, 0, 0, 0);

  /** Reads the kernel's counters; zeros if there is no {@code /proc}. */
  static CpuTimes read() {
    try {
      String machine = Files.readString(Path.of("/proc/stat"));
      ProcessHandle self = ProcessHandle.current();
      try (Stream<ProcessHandle> descendants = self.descendants()) {
        long own =
            Stream.concat(Stream.of(self), descendants)
                .mapToLong(process -> processTicks(process.pid()))
                .sum();
        return parse(machine, own);
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /**
   * Parses the first line of {@code /proc/stat}.
   *
   * @param own ticks of this benchmark's processes
   */
  static CpuTimes parse(String stat, long own) {
    String[] words = stat.lines().findFirst().orElseThrow().trim().split("\\s+");
    long[] ticks = new long[COLUMNS];
    for (int i = 0; i < COLUMNS && i + 1 < words.length; i++) {
      ticks[i] = Long.parseLong(words[i + 1]);
    }
    long busy = ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFT_IRQ];
    return new CpuTimes(LongStream.of(ticks).sum(), busy, ticks[STEAL], own);
  }

  private static long processTicks(long pid) {
    // The parent of a process that has ended has counted its time.
    return Reading.orElse(0L, () -> ownTicks(Files.readString(Path.of("/proc/" + pid + "/stat"))));
  }

  /** User and system ticks of a process and of its children that ended, from its {@code stat}. */
  static long ownTicks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split("\\s+");
    return Stream.of(fields).skip(USER_TIME).limit(OWN_TIMES).mapToLong(Long::parseLong).sum();
  }

  /** Share of all cores, 0 to 1, that others took since {@code before}; NaN if unknown. */
  double takenSince(CpuTimes before) {
    return othersSince(before) + stolenSince(before);
  }

  /** Share of all cores that other processes used since {@code before}; NaN if unknown. */
  double othersSince(CpuTimes before) {
    return share(Math.max(0, (busy - before.busy) - (own - before.own)), before);
  }

  /** Share of all cores that a hypervisor took since {@code before}; NaN if unknown. */
  double stolenSince(CpuTimes before) {
    return share(stolen - before.stolen, before);
  }

  private double share(long ticks, CpuTimes before) {
    return (double) ticks / (total - before.total);
  }
}
