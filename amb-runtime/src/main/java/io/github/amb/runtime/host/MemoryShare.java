package io.github.amb.runtime.host;

import io.github.amb.core.file.Reading;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A host's available memory and the number of ranks that share it.
 *
 * @param available available memory in MB
 * @param ranks ranks on the host, including the master
 */
public record MemoryShare(long available, int ranks) {
  /** The file with Linux' memory statistics. */
  public static final Path LINUX = Path.of("/proc/meminfo");

  /** What to do about too little memory. */
  public static final String REMEDY = "lower --workers or --worker-heap";

  private static final long RANK_MB = 700;
  private static final int KB_PER_MB = 1024;

  /**
   * The share of a master and its workers, all on this host.
   *
   * @param statistics such as {@link #LINUX}
   * @return empty if the statistics cannot be read
   */
  public static Optional<MemoryShare> of(Path statistics, int workers) {
    return Reading.after("MemAvailable:", statistics)
        .map(size -> Long.parseLong(size.replaceAll("\\D", "")) / KB_PER_MB)
        .map(available -> new MemoryShare(available, 1 + workers));
  }

  private long needed() {
    return ranks * RANK_MB;
  }

  /** Whether there is enough memory for each rank with the usual heaps. */
  public boolean isEnough() {
    return available >= needed();
  }

  /** Both numbers, in a few words. */
  public String found() {
    return "%s MB available, about %s MB for %s ranks".formatted(available, needed(), ranks);
  }
}
