package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Which nodes of the virtual cluster take part, in which worlds, and when those end. */
final class Roster {
  private final Scheduler scheduler;
  private final boolean[] absent;
  private final int[] generations;
  private final Map<Integer, End> ends = new HashMap<>();
  private final Map<Integer, int[]> worlds = new HashMap<>();
  private final List<Integer> joining = new ArrayList<>();
  private boolean ending;
  private boolean over;

  /**
   * The end of a world.
   *
   * @param time when its nodes know, nanoseconds
   * @param cause why
   */
  private record End(long time, String cause) {}

  private static final End NONE = new End(Clock.NEVER, "");

  Roster(Scheduler scheduler, int nodes) {
    this.scheduler = scheduler;
    absent = new boolean[nodes];
    generations = new int[nodes];
    Arrays.fill(generations, 1);
  }

  /**
   * A node dies now.
   *
   * @param detection nanoseconds until the others know
   */
  void die(int node, long detection) {
    long known = scheduler.now(node) + detection;
    absent[node] = true;
    end(generations[node], new End(known, "lost rank " + node + ": it has died"));
    wake(known); // Those that wait to form a world need not wait for this one.
  }

  /** The others know at {@code time} that they go on without a node that lives. */
  void exclude(int node, long time) {
    end(generations[node], new End(time, "rank " + node + " was excluded"));
    absent[node] = true;
  }

  /** Whether a node has died, was excluded or has finished, and has not joined again. */
  boolean isAbsent(int node) {
    return absent[node];
  }

  private void end(int generation, End end) {
    if (end.time() < ends.getOrDefault(generation, NONE).time()) {
      ends.put(generation, end);
      wake(end.time());
    }
  }

  private void wake(long time) {
    for (int node = 0; node < absent.length; node++) {
      if (!absent[node]) {
        scheduler.wakeBy(node, new Moment(time, node));
      }
    }
  }

  /** When a node's world ends, nanoseconds; never, as far as is known. */
  long worldEnds(int node) {
    return ends.getOrDefault(generations[node], NONE).time();
  }

  /** Why a node's world has ended. */
  String cause(int node) {
    return ends.getOrDefault(generations[node], NONE).cause();
  }

  /**
   * A node has left its world, which ends for the others too, and waits for generation {@code
   * next}.
   */
  void leave(int node, int next) {
    generations[node] = next;
    end(next - 1, new End(scheduler.now(node), "rank " + node + " has left the generation"));
  }

  /**
   * The nodes of a world, ascending; null as long as one that lives has not left the world before,
   * and for good once the run is over. Whoever asks first forms it, with those that wait to join.
   */
  int[] world(int generation) {
    if (!over
        && !worlds.containsKey(generation)
        && IntStream.range(0, absent.length)
            .allMatch(n -> absent[n] || generations[n] >= generation)) {
      for (int node : joining) {
        absent[node] = false;
        generations[node] = generation;
      }
      joining.clear();
      worlds.put(generation, IntStream.range(0, absent.length).filter(n -> !absent[n]).toArray());
    }
    return worlds.get(generation);
  }

  /** A node that died waits to join the others. */
  void join(int node) {
    joining.add(node);
  }

  /** Whether any node waits to join. */
  boolean isJoining() {
    return !joining.isEmpty();
  }

  /** The generation that a node which waited to join is in; 0 as long as it waits. */
  int joined(int node) {
    return joining.contains(node) ? 0 : generations[node];
  }

  /**
   * A node's program ends now. Nobody waits for it any more: neither those that form a world nor
   * the master, if it is all that is left, for a frame. When the master's ends, the run is over.
   */
  void finish(int node) {
    if (absent[node]) {
      return; // Nobody has waited for it since it died or was excluded.
    }
    absent[node] = true;
    ending = true;
    over |= node == Communicator.MASTER;
    boolean awaited = !over && left(generations[node]) <= 1;
    for (int other = 0; other < absent.length; other++) {
      boolean waits = over && (joining.contains(other) || generations[other] > generations[node]);
      if (waits || awaited && !absent[other]) {
        scheduler.wakeBy(other, new Moment(scheduler.now(node), other));
      }
    }
  }

  private long left(int generation) {
    return IntStream.range(0, absent.length)
        .filter(n -> !absent[n] && generations[n] == generation)
        .count();
  }

  /** Whether nothing more can come to a node from its world, whose others have all finished. */
  boolean isAlone(int node) {
    return ending && worldEnds(node) == Clock.NEVER && left(generations[node]) == 1;
  }

  /** Whether the master has finished: no further world is formed. */
  boolean isOver() {
    return over;
  }
}
