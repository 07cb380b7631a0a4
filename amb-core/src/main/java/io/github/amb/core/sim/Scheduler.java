package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Lets exactly one rank run at a time, in the order of virtual time, then of rank. So a run depends
 * on its seed alone.
 *
 * <p>A rank that computes, sleeps or sends runs ahead of the others: only its own clock advances. A
 * rank that receives waits in {@link #await} until no other rank can do anything earlier. So a
 * computation is never interrupted, and threads are switched only where a rank waits for a message.
 * Switching threads is most of a simulation's cost.
 *
 * <p>Only the rank whose turn it is changes the state. Its volatile {@code running} publishes the
 * state to the next rank.
 */
final class Scheduler {
  /** Ranks keep little on their stacks. Native arithmetic runs on threads of its own. */
  private static final long STACK_BYTES = 512 * 1024;

  private static final int NAMED_RANKS = 8;

  private static final int UNPINNED_JAVA = 24; // JEP 491

  private final Task[] tasks;
  private final TreeSet<Task> waiting = new TreeSet<>();
  private final CountDownLatch ended;
  private final IntConsumer program;
  private long events;
  private volatile RuntimeException failure;

  /** A rank: the moment of its turn, and when it wakes. */
  private final class Task implements Comparable<Task>, Runnable {
    final int rank;
    final Thread thread;
    Moment now;
    Moment wake;
    boolean wakeable;
    volatile boolean running;

    Task(int rank) {
      this.rank = rank;
      thread = newThread(this, "rank-" + rank);
      now = new Moment(0, rank);
      wake = now;
    }

    boolean isStarted() {
      return thread.getState() != Thread.State.NEW;
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
   * @param ranks number of ranks
   * @param program runs the rank with the given number; called on a thread of that rank
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
   * Runs all ranks to their ends. May be called once.
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

  /** Virtual time of a rank in nanoseconds. */
  long now(int rank) {
    return tasks[rank].now.time();
  }

  /** A rank's place in the order of turns. */
  Moment moment(int rank) {
    return tasks[rank].now;
  }

  /** The moment of the next turn of a rank that waits. */
  Moment wake(int rank) {
    return tasks[rank].wake;
  }

  /** Number of turns so far. */
  long events() {
    return events;
  }

  /** Advances a rank's clock to {@code time}, in nanoseconds, if that is later. */
  void advance(int rank, long time) {
    Task task = tasks[rank];
    if (time > task.now.time()) {
      task.now = new Moment(time, rank);
    }
  }

  /** Blocks {@code rank} until the others have done all that comes before its time. */
  void sync(int rank) {
    Task task = tasks[rank];
    check();
    if (!isFirst(task, task.now)) {
      block(task, task.now, false);
    }
  }

  /**
   * Blocks {@code rank} until {@code wake}, or its own moment if that is later, or an earlier
   * moment that {@link #wakeBy} sets; then until the others have done all that comes before it.
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
      Thread.interrupted(); // No code interrupts a rank on purpose, and park would not block.
    }
    check();
  }

  /** Wakes a rank that waits for a message at {@code moment} or earlier. */
  void wakeBy(int rank, Moment moment) {
    Task task = tasks[rank];
    if (task.wakeable && moment.isBefore(task.wake) && waiting.remove(task)) {
      task.wake = Moment.later(moment, task.now);
      waiting.add(task);
    }
  }

  /** Puts a rank to a moment, at which it takes its next turn if it waits. */
  void put(int rank, Moment moment) {
    Task task = tasks[rank];
    boolean waits = waiting.remove(task);
    task.now = moment;
    if (waits) {
      task.wake = moment;
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
    if (next.isStarted()) {
      LockSupport.unpark(next.thread);
    } else {
      start(next);
    }
  }

  /** Starts a rank, unless {@link #fail} has counted it among those that are not started. */
  private synchronized void start(Task task) {
    if (failure == null) {
      task.thread.start();
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

  /**
   * A thread that takes turns. Where Java has virtual threads that synchronized code does not pin,
   * a turn costs no call of the operating system.
   */
  private static Thread newThread(Runnable work, String name) {
    if (Runtime.version().feature() >= UNPINNED_JAVA) {
      try {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        builder = type.getMethod("name", String.class).invoke(builder, name);
        return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, work);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("virtual threads", e);
      }
    }
    return new Thread(null, work, name, STACK_BYTES);
  }

  /** Ends every rank: a started one throws, the others are not started. */
  private synchronized void fail(RuntimeException cause) {
    if (failure != null) {
      return;
    }
    failure = cause;
    for (Task task : tasks) {
      if (task.isStarted()) {
        LockSupport.unpark(task.thread);
      } else {
        ended.countDown();
      }
    }
  }
}
