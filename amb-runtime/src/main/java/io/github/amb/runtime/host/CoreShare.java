package io.github.amb.runtime.host;

/**
 * A host's cores and the number of ranks that share them.
 *
 * @param cores cores of the host
 * @param ranks ranks on the host, including the master
 */
public record CoreShare(int cores, int ranks) {
  /** The effect of too few cores, and what to do. */
  public static final String REMEDY =
      "times are not those of a cluster; lower --workers, or use --engine sim";

  /** The share of a master and its workers, all on this host. */
  public static CoreShare here(int workers) {
    return new CoreShare(Runtime.getRuntime().availableProcessors(), 1 + workers);
  }

  /** A number of workers, in words. */
  public static String workers(int workers) {
    return workers == 1 ? "1 worker" : workers + " workers";
  }

  /** Whether there is at least one core per rank. */
  public boolean isEnough() {
    return ranks <= cores;
  }

  /** Both numbers, in a few words. */
  public String found() {
    return "%s cores for %s ranks".formatted(cores, ranks);
  }
}
