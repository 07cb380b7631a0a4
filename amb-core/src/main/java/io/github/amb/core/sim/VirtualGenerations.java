package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The nodes of the virtual cluster, the generations they are in, and when those end. */
final class VirtualGenerations {
  private final Scheduler scheduler;
  private final boolean[] absent;
  private final int[] generations;
  private final Map<Integer, End> ends = new HashMap<>();
  private final Map<Integer, int[]> worlds = new HashMap<>();
  private final List<Integer> joining = new ArrayList<>();
  private boolean ending;
  private boolean over;

  /**
   * The end of a generation.
   *
   * @param time when its nodes notice, in nanoseconds
   * @param cause why it ended
   */
  private record End(long time, String cause) {}

  private static final End NONE = new End(Clock.NEVER, "");

  VirtualGenerations(Scheduler scheduler, int nodes) {
    this.scheduler = scheduler;
    absent = new boolean[nodes];
    generations = new int[nodes];
    Arrays.fill(generations, 1);
  }

  /**
   * A node fails now.
   *
   * @param detection nanoseconds until the others notice
   */
  void die(int node, long detection) {
    long known = scheduler.now(node) + detection;
    absent[node] = true;
    end(generations[node], new End(known, "lost rank " + node + ": it has died"));
    wake(known); // Nodes that wait for the next generation no longer wait for this one.
  }

  /** From {@code time} on, in nanoseconds, the others continue without a node that is alive. */
  void remove(int node, long time) {
    end(generations[node], new End(time, "rank " + node + " was removed"));
    absent[node] = true;
  }

  /** Whether a node has failed, was removed or has finished, and has not joined again. */
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

  /** When a node's generation ends, in nanoseconds; {@link Clock#NEVER} if no end is known. */
  long worldEnds(int node) {
    return ends.getOrDefault(generations[node], NONE).time();
  }

  /** Why a node's generation has ended. */
  String cause(int node) {
    return ends.getOrDefault(generations[node], NONE).cause();
  }

  /**
   * A node has left its generation, which ends for the others too, and waits for generation {@code
   * next}.
   */
  void leave(int node, int next, String why) {
    generations[node] = next;
    end(
        next - 1,
        new End(scheduler.now(node), "rank " + node + " has left the generation: " + why));
  }

  /**
   * The nodes of a generation, ascending. The first call that finds all living nodes outside the
   * generation before forms it, together with the nodes that wait to join. Null until then, and
   * always after the end of the run.
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

  /** The replacement of a failed node waits to join the others. */
  void join(int node) {
    joining.add(node);
  }

  /** Whether any node waits to join. */
  boolean isJoining() {
    return !joining.isEmpty();
  }

  /** The generation that a waiting node has joined; 0 while it waits. */
  int joined(int node) {
    return joining.contains(node) ? 0 : generations[node];
  }

  /**
   * A node's program ends now. Neither nodes that form a generation nor a master that is left alone
   * wait for it any longer. The end of the master's program is the end of the run.
   */
  void finish(int node) {
    if (absent[node]) {
      return; // No node has waited for it since it failed or was removed.
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

  /** Whether a node has ever left the first generation, or finished. */
  boolean hasChanged() {
    return ending || !ends.isEmpty() || !joining.isEmpty();
  }

  /** Whether all other nodes of a node's generation have finished, so that no message can come. */
  boolean isAlone(int node) {
    return ending && worldEnds(node) == Clock.NEVER && left(generations[node]) == 1;
  }

  /** Whether a node's program has ended, so that it takes no further message. */
  boolean hasFinished(int node) {
    return ending && absent[node] && worldEnds(node) == Clock.NEVER;
  }

  /** Whether the master has finished, so that no further generation is formed. */
  boolean isOver() {
    return over;
  }
}
