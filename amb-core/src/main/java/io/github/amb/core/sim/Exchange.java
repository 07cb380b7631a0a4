package io.github.amb.core.sim;

import java.util.Arrays;

/**
 * Messages of equal length that each worker sends to each other one, beginning with the next in the
 * order of ranks. They are accounted for together: with a thousand workers they are a million. The
 * times are those of a simulation of each message, if no other messages are on the links and these
 * do not change meanwhile.
 */
final class Exchange {
  private final int[] workers;
  private final long bytes;
  private final long[] starts;
  private final long[] durations;
  private int entered;

  /**
   * @param members nodes of the generation, the master first, ascending
   * @param bytes of a message
   */
  Exchange(int[] members, long bytes) {
    workers = Arrays.copyOfRange(members, 1, members.length);
    this.bytes = bytes;
    starts = new long[workers.length];
    durations = new long[workers.length];
  }

  /** Number of messages that each worker sends, and receives. */
  int messages() {
    return workers.length - 1;
  }

  /** The nodes that take part. */
  int[] workers() {
    return workers;
  }

  /**
   * A worker begins to send.
   *
   * @param start when its link begins with the first message, in nanoseconds
   * @param duration how long it takes for each
   */
  void enter(int node, long start, long duration) {
    int place = Arrays.binarySearch(workers, node);
    starts[place] = start;
    durations[place] = duration;
    entered++;
  }

  /** Whether all have begun. */
  boolean isComplete() {
    return entered == workers.length;
  }

  /** When a worker's link has received all messages to it, in nanoseconds. */
  long end(int place, Network network) {
    int count = workers.length;
    int to = workers[place];
    long[] first = new long[count - 1];
    long down = network.down(to, bytes, starts[place]);
    for (int i = 1; i < count; i++) {
      int from = (place - i + count) % count; // It sends i messages up to this one.
      long leaves = starts[from] + (i - 1) * durations[from];
      first[i - 1] = network.arrives(workers[from], to, bytes, leaves, durations[from], down, 0);
    }
    Arrays.sort(first);
    long end = 0;
    for (long each : first) {
      end = Math.max(end, each) + down;
    }
    return end;
  }
}
