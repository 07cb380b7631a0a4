package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets exactly one rank run at a time, always the one that wakes first in virtual time, ties by
 * rank, so that a run depends on nothing but its seed.
 *
 * <p>As no rank ever runs behind another one's back in virtual time, whatever a rank could still be
 * sent arrives no earlier than the rank's own wake-up.
 */
final class Scheduler {
  private final ReentrantLock lock = new ReentrantLock();
  private final Task[] tasks;
  private final TreeSet<Task> waiting = new TreeSet<>();
  private RuntimeException failure;

  /** A rank: its virtual time, and when it wakes. */
  private final class Task implements Comparable<Task> {
    final int rank;
    final Condition turn = lock.newCondition();
    long now;
    long wake;
    boolean running;
    boolean wakeable;

    Task(int rank) {
      this.rank = rank;
    }

    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(wake, other.wake);
      return byTime != 0 ? byTime : Integer.compare(rank, other.rank);
    }
  }

  Scheduler(int ranks) {
    tasks = new Task[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      tasks[rank] = new Task(rank);
      waiting.add(tasks[rank]);
    }
  }

  /** Starts the first rank; every rank's thread is to call {@link #enter} first. */
  void start() {
    lock.lock();
    try {
      dispatch();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks until it is this rank's turn for the first time. */
  void enter(int rank) {
    lock.lock();
    try {
      awaitTurn(tasks[rank]);
    } finally {
      lock.unlock();
    }
  }

  /** Virtual time of a rank, nanoseconds. */
  long now(int rank) {
    return tasks[rank].now;
  }

  /** Blocks {@code rank} until virtual time {@code wake}, whatever arrives meanwhile. */
  void sleepUntil(int rank, long wake) {
    block(tasks[rank], wake, false);
  }

  /** Blocks {@code rank} until virtual time {@code wake}, or until {@link #wakeBy} is earlier. */
  void awaitMessage(int rank, long wake) {
    block(tasks[rank], wake, true);
  }

  private void block(Task task, long wake, boolean wakeable) {
    lock.lock();
    try {
      task.wake = Math.max(wake, task.now);
      task.wakeable = wakeable;
      task.running = false;
      waiting.add(task);
      dispatch();
      awaitTurn(task);
    } finally {
      lock.unlock();
    }
  }

  /** Makes a rank that awaits a message wake no later than {@code time}. */
  void wakeBy(int rank, long time) {
    lock.lock();
    try {
      Task task = tasks[rank];
      if (task.wakeable && !task.running && time < task.wake) {
        waiting.remove(task);
        task.wake = Math.max(time, task.now);
        waiting.add(task);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends a rank; {@code failed} is null if it ended well, else every other rank fails too. */
  void exit(int rank, RuntimeException failed) {
    lock.lock();
    try {
      tasks[rank].running = false;
      tasks[rank].wakeable = false;
      if (failed != null) {
        fail(failed);
      }
      dispatch();
    } finally {
      lock.unlock();
    }
  }

  /** The first failure of a rank, or null. */
  RuntimeException failure() {
    return failure;
  }

  private void awaitTurn(Task task) {
    while (!task.running && failure == null) {
      task.turn.awaitUninterruptibly();
    }
    if (failure != null) {
      throw new EngineException("another rank failed: " + failure.getMessage(), failure);
    }
  }

  private void dispatch() {
    if (waiting.isEmpty() || failure != null) {
      return;
    }
    Task next = waiting.first();
    if (next.wake == Clock.NEVER) {
      fail(new EngineException("deadlock: every rank waits for a message, none is under way"));
      return;
    }
    waiting.remove(next);
    next.now = Math.max(next.now, next.wake);
    next.running = true;
    next.turn.signal();
  }

  private void fail(RuntimeException cause) {
    failure = failure == null ? cause : failure;
    for (Task task : tasks) {
      task.turn.signal();
    }
  }
}
