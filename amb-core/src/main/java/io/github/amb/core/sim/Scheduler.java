package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Lets exactly one rank run at a time, in the order of virtual time, ties by rank, so that a run
 * depends on nothing but its seed.
 *
 * <p>A rank that computes, sleeps or sends runs ahead of the others: only its own clock moves. What
 * it receives waits in {@link #await} until no other rank can do anything earlier. So a computation
 * is never interrupted, and threads, whose changes are what a simulation costs most, change only
 * where a rank waits for a message.
 *
 * <p>Everything here is done by the rank whose turn it is, and handed to the next one by its
 * volatile {@code running}.
 */
final class Scheduler {
  /** Ranks keep little on their stacks; arithmetic with native libraries has threads of its own. */
  private static final long STACK_BYTES = 512 * 1024;

  private static final int NAMED_RANKS = 8;

  private final Task[] tasks;
  private final TreeSet<Task> waiting = new TreeSet<>();
  private final CountDownLatch ended;
  private final IntConsumer program;
  private long events;
  private volatile RuntimeException failure;

  /** A rank: the moment of its turn, and when it wakes. */
  private final class Task implements Comparable<Task>, Runnable {
    final int rank;
    Thread thread;
    Moment now;
    Moment wake;
    boolean wakeable;
    volatile boolean running;

    Task(int rank) {
      this.rank = rank;
      now = new Moment(0, rank);
      wake = now;
    }

    boolean isBefore(Moment moment, int rank) {
      int order = wake.compareTo(moment);
      return order != 0 ? order < 0 : this.rank < rank;
    }

    @Override
    public int compareTo(Task other) {
      return rank == other.rank ? 0 : isBefore(other.wake, other.rank) ? -1 : 1;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      try {
        program.accept(rank);
      } catch (RuntimeException e) {
        fail(e);
      } catch (Error e) {
        fail(new EngineException("rank " + rank + ": " + e, e));
      } finally {
        end();
      }
    }

    private void end() {
      running = false;
      try {
        if (failure == null) {
          dispatch();
        }
      } catch (Error e) {
        fail(new EngineException("rank " + rank + ": cannot start the next rank: " + e, e));
      } finally {
        ended.countDown();
      }
    }
  }

  /**
   * @param program runs the rank it is given, on a thread of the rank's own
   */
  Scheduler(int ranks, IntConsumer program) {
    this.program = program;
    tasks = new Task[ranks];
    ended = new CountDownLatch(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      tasks[rank] = new Task(rank);
      waiting.add(tasks[rank]);
    }
  }

  /**
   * Runs all ranks to their ends; to be called once.
   *
   * @throws RuntimeException the first failure of a rank, as it was thrown
   */
  void run() {
    dispatch();
    boolean interrupted = false;
    while (true) {
      try {
        ended.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        fail(new EngineException("interrupted", e));
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Virtual time of a rank, nanoseconds. */
  long now(int rank) {
    return tasks[rank].now.time();
  }

  /** Where a rank is in the order of turns. */
  Moment moment(int rank) {
    return tasks[rank].now;
  }

  /** How often a rank's turn came so far. */
  long events() {
    return events;
  }

  /** Moves a rank's clock to {@code time} if that is later; other ranks do not notice. */
  void advance(int rank, long time) {
    Task task = tasks[rank];
    if (time > task.now.time()) {
      task.now = new Moment(time, rank);
    }
  }

  /** Blocks {@code rank} until all that other ranks do before its time is done. */
  void sync(int rank) {
    Task task = tasks[rank];
    check();
    if (!isFirst(task, task.now)) {
      block(task, task.now, false);
    }
  }

  /**
   * Blocks {@code rank} until {@code wake}, or its own moment if that is later, or until {@link
   * #wakeBy} is earlier, and until all that other ranks do before then is done.
   */
  void await(int rank, Moment wake) {
    Task task = tasks[rank];
    check();
    Moment turn = Moment.later(task.now, wake);
    if (turn.time() != Clock.NEVER && isFirst(task, turn)) {
      events++;
      task.now = turn;
    } else {
      block(task, turn, true);
    }
  }

  private boolean isFirst(Task task, Moment turn) {
    return waiting.isEmpty() || !waiting.first().isBefore(turn, task.rank);
  }

  private void block(Task task, Moment wake, boolean wakeable) {
    task.wake = wake;
    task.wakeable = wakeable;
    task.running = false;
    waiting.add(task);
    dispatch();
    while (!task.running) {
      check();
      LockSupport.park(this);
      Thread.interrupted(); // Nobody interrupts a rank on purpose, and park would not block.
    }
    check();
  }

  /** Makes a rank that awaits a message wake no later than {@code moment}. */
  void wakeBy(int rank, Moment moment) {
    Task task = tasks[rank];
    if (task.wakeable && moment.isBefore(task.wake) && waiting.remove(task)) {
      task.wake = Moment.later(moment, task.now);
      waiting.add(task);
    }
  }

  private void check() {
    RuntimeException cause = failure;
    if (cause != null) {
      throw new EngineException("another rank failed: " + cause.getMessage(), cause);
    }
  }

  private void dispatch() {
    Task next = waiting.pollFirst();
    if (next == null || failure != null) {
      return;
    }
    if (next.wake.time() == Clock.NEVER) {
      waiting.add(next);
      fail(new EngineException(deadlock()));
      return;
    }
    events++;
    next.now = next.wake;
    next.wakeable = false;
    next.running = true;
    if (next.thread == null) {
      new Thread(null, next, "rank-" + next.rank, STACK_BYTES).start();
    } else {
      LockSupport.unpark(next.thread);
    }
  }

  private String deadlock() {
    StringBuilder ranks = new StringBuilder();
    waiting.stream().limit(NAMED_RANKS).forEach(t -> ranks.append(' ').append(t.rank));
    if (waiting.size() > NAMED_RANKS) {
      ranks.append(" … (").append(waiting.size()).append(" in all)");
    }
    return "deadlock: every rank that is left waits for a message, none is under way; ranks"
        + ranks;
  }

  /** Ends every rank: those that have a thread throw, the others are not started. */
  private synchronized void fail(RuntimeException cause) {
    if (failure != null) {
      return;
    }
    failure = cause;
    for (Task task : tasks) {
      if (task.thread == null) {
        ended.countDown();
      } else {
        LockSupport.unpark(task.thread);
      }
    }
  }
}
