package io.github.amb.runtime.launch;

/**
 * How many of a host's cores its ranks have.
 *
 * @param ranks on that host, the master included
 */
public record CoreShare(int cores, int ranks) {
  /** What follows where there are fewer cores than ranks, and what to do. */
  public static final String REMEDY =
      "times are not those of a cluster; lower --workers, or use --engine sim";

  /** Of a master and its workers, all on this host. */
  public static CoreShare here(int workers) {
    return new CoreShare(Runtime.getRuntime().availableProcessors(), 1 + workers);
  }

  /** Whether each rank can have one of its own. */
  public boolean isEnough() {
    return ranks <= cores;
  }

  /** What there is, in a few words. */
  public String found() {
    return "%s cores for %s ranks".formatted(cores, ranks);
  }
}
