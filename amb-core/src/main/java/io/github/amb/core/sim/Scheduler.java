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
 * <p>A rank that computes or sleeps runs ahead of the others: only its own clock moves. What it
 * exchanges with others waits in {@link #sync} until no other rank can do anything earlier. So a
 * computation is never interrupted, and threads change only around messages.
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

  /** A rank: its virtual time in nanoseconds, and when it wakes. */
  private final class Task implements Comparable<Task>, Runnable {
    final int rank;
    Thread thread;
    long now;
    long wake;
    boolean wakeable;
    volatile boolean running;

    Task(int rank) {
      this.rank = rank;
    }

    @Override
    public int compareTo(Task other) {
      return compare(wake, rank, other.wake, other.rank);
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
      if (failure == null) {
        dispatch();
      }
      ended.countDown();
    }
  }

  private static int compare(long time, int rank, long otherTime, int otherRank) {
    return time != otherTime ? Long.compare(time, otherTime) : Integer.compare(rank, otherRank);
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
    return tasks[rank].now;
  }

  /** Turns handed over so far. */
  long events() {
    return events;
  }

  /** Moves a rank's clock to {@code time} if that is later; other ranks do not notice. */
  void advance(int rank, long time) {
    Task task = tasks[rank];
    task.now = Math.max(task.now, time);
  }

  /** Blocks {@code rank} until all that other ranks do before its time is done. */
  void sync(int rank) {
    Task task = tasks[rank];
    check();
    if (!waiting.isEmpty()) {
      Task first = waiting.first();
      if (compare(first.wake, first.rank, task.now, rank) < 0) {
        block(task, task.now, false);
      }
    }
  }

  /** Blocks {@code rank} until virtual time {@code wake}, or until {@link #wakeBy} is earlier. */
  void await(int rank, long wake) {
    check();
    block(tasks[rank], wake, true);
  }

  private void block(Task task, long wake, boolean wakeable) {
    task.wake = Math.max(wake, task.now);
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

  /** Makes a rank that awaits a message wake no later than {@code time}. */
  void wakeBy(int rank, long time) {
    Task task = tasks[rank];
    if (task.wakeable && time < task.wake && waiting.remove(task)) {
      task.wake = Math.max(time, task.now);
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
    if (next.wake == Clock.NEVER) {
      waiting.add(next);
      fail(new EngineException(deadlock()));
      return;
    }
    events++;
    next.now = Math.max(next.now, next.wake);
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
