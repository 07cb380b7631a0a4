package io.github.amb.runtime.launch;

import io.github.amb.core.thread.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The ranks of a run. However the launcher ends, it ends them first. */
final class RankProcesses implements AutoCloseable {
  private static final Duration TERMINATE_LIMIT = StopRequest.STEP_LIMIT.plusSeconds(1);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(4);

  private final List<RankProcess> ranks = new ArrayList<>();
  private final StopHook hook;
  private final Runnable last;
  private final Consumer<String> warnings;
  private boolean ending;

  /**
   * @param last called when all ranks have ended
   * @param warnings receives a line if the master is killed while it saves
   */
  RankProcesses(Runnable last, Consumer<String> warnings) {
    this.last = last;
    this.warnings = warnings;
    hook = new StopHook("end-ranks", this::end);
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

  /** Whether a signal or {@link #close} is ending the ranks. */
  synchronized boolean isEnding() {
    return ending;
  }

  /**
   * Asks all ranks to end. Then kills workers that have not ended, and at last the master, which
   * may be saving to a slow disk.
   */
  void end() {
    synchronized (this) {
      ending = true;
    }
    List<RankProcess> alive = all().stream().filter(RankProcess::isAlive).toList();
    alive.forEach(RankProcess::terminate);
    if (!awaitEnd(alive, TERMINATE_LIMIT)) {
      alive.stream().filter(rank -> !rank.isMaster()).forEach(RankProcess::kill);
      if (!awaitEnd(alive, StopRequest.SAVE_LIMIT)) {
        warnings.accept(StopRequest.unsaved("killed the master, which had not saved its step"));
      }
      alive.forEach(RankProcess::kill);
      awaitEnd(alive, KILL_LIMIT);
    }
    all().forEach(RankProcess::killRemnants);
    all().forEach(rank -> Waits.run(rank::awaitNoRemnants));
    last.run();
  }

  private static boolean awaitEnd(List<RankProcess> ranks, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    for (RankProcess rank : ranks) {
      // An interrupt must not end the wait for the master, which would be killed while it saves.
      Waits.uninterrupted(() -> rank.awaitEnd((end - System.nanoTime()) / 1_000_000));
    }
    return ranks.stream().noneMatch(RankProcess::isAlive);
  }

  @Override
  public void close() {
    end();
    all().forEach(RankProcess::close);
    hook.close();
  }
}
