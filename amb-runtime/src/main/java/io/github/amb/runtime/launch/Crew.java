package io.github.amb.runtime.launch;

import java.util.ArrayList;
import java.util.List;

/** The ranks of a run; whatever ends the launcher in order ends them. */
final class Crew implements AutoCloseable {
  private static final long TERMINATE_MILLIS = 4000;
  private static final long KILL_MILLIS = 4000;

  private final List<RankProcess> ranks;
  private final Thread hook = new Thread(this::end, "end-ranks");
  private boolean ending;

  Crew(int size) {
    ranks = new ArrayList<>(size);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  synchronized void add(RankProcess rank) {
    ranks.add(rank);
    if (ending) {
      rank.kill();
    }
  }

  synchronized List<RankProcess> all() {
    return List.copyOf(ranks);
  }

  /** Whether Ctrl-C, SIGTERM or {@link #close} is ending the ranks. */
  synchronized boolean isEnding() {
    return ending;
  }

  /** Asks all ranks to end, then kills those that have not. */
  void end() {
    synchronized (this) {
      ending = true;
    }
    List<RankProcess> alive = all().stream().filter(RankProcess::isAlive).toList();
    alive.forEach(RankProcess::terminate);
    if (!awaitEnd(alive, TERMINATE_MILLIS)) {
      alive.forEach(RankProcess::kill);
      awaitEnd(alive, KILL_MILLIS);
    }
  }

  private static boolean awaitEnd(List<RankProcess> ranks, long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    boolean all = true;
    try {
      for (RankProcess rank : ranks) {
        all &= rank.awaitEnd((end - System.nanoTime()) / 1_000_000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return all;
  }

  @Override
  public void close() {
    end();
    all().forEach(RankProcess::close);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and the hook has run or is running.
    }
  }
}
