package io.github.amb.bench.harness;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Resident memory of one process in MB (10^6 bytes), from Linux' proc file system.
 *
 * @param last VmRSS, the current value
 * @param peak VmHWM, the maximum so far
 * @param own RssAnon, the part of {@code last} that is not backed by files and not shared
 */
public record ResidentMemory(double last, double peak, double own) {
  private static final Path PROC = Path.of("/proc");

  /**
   * Checks that this system has the proc file system.
   *
   * @throws UsageException if it has none
   */
  public static void requireAvailable() {
    if (!Files.exists(PROC.resolve("self/status"))) {
      throw new UsageException("expected Linux' /proc/PID/status, found none on this system");
    }
  }

  /**
   * Reads the memory of a process; zeros if it has just ended.
   *
   * @throws IOException if there is no such process, or no proc file system
   */
  public static ResidentMemory of(long pid) throws IOException {
    List<String> status = Files.readAllLines(PROC.resolve(Long.toString(pid)).resolve("status"));
    return new ResidentMemory(
        megabytes(status, "VmRSS:"), megabytes(status, "VmHWM:"), megabytes(status, "RssAnon:"));
  }

  /** Parses MB from a line such as {@code VmRSS: 123456 kB}; 0 if there is none. */
  static double megabytes(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 1e6)
        .findFirst()
        .orElse(0);
  }
}
