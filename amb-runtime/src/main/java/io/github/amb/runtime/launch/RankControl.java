package io.github.amb.runtime.launch;

import io.github.amb.core.engine.LostException;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.console.Progress;
import io.github.amb.runtime.control.ControlConnection;
import io.github.amb.runtime.control.ControlLine;
import io.github.amb.runtime.control.Heartbeat;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import io.github.amb.runtime.mpj.Rendezvous;
import io.github.amb.runtime.mpj.RunSecret;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A rank's reports to its launcher and the orders that it receives. Does nothing in a rank of
 * another program's launcher.
 */
public final class RankControl implements ControlLine.Listener {
  /** System property: where the launcher listens, and how often it started this rank before. */
  public static final String PROPERTY = "amb.control";

  /** System property: silence of the launcher in milliseconds after which this process ends. */
  public static final String SILENCE_PROPERTY = "amb.control.silence";

  private static final long FAILED_MILLIS = TimeUnit.SECONDS.toMillis(5);
  private static final long FINISHED_MILLIS = TimeUnit.SECONDS.toMillis(30);

  private final int rank;
  private final ControlConnection connection;
  private final BlockingQueue<Order.Form> orders = new LinkedBlockingQueue<>();
  private final CountDownLatch exit = new CountDownLatch(1);
  private volatile Listener listener = new Listener() {};
  private volatile Supplier<Heartbeat.Wait> waits = () -> null;
  private Order.Table table;
  private int left;
  private String input;

  /** Receives orders at once, on another thread. */
  interface Listener {
    /** A generation is to be formed. */
    default void form(Order.Form order) {}

    /** A generation is to end. */
    default void end(int generation, String reason) {}

    /** This worker is to leave. */
    default void leave() {}

    /** A worker leaves. */
    default void release(Order.Release order) {}
  }

  private RankControl(int rank, String place) {
    this.rank = rank;
    connection = place == null ? null : connect(place.substring(place.indexOf(' ') + 1), place);
  }

  private ControlConnection connect(String where, String place) {
    return new ControlConnection(
        where,
        RunSecret.own(),
        rank,
        Integer.parseInt(place.substring(0, place.indexOf(' '))),
        Timeouts.chosen().control(),
        TimeUnit.MILLISECONDS.toNanos(
            Long.getLong(SILENCE_PROPERTY, TimeUnit.DAYS.toMillis(10_000))),
        this);
  }

  /**
   * Connects to the launcher that started this JVM, if it was ours, and watches it.
   *
   * @param arguments MPJ Express' three, then others
   */
  public static RankControl start(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    RankControl control = new RankControl(rank, System.getProperty(PROPERTY));
    if (control.isLaunched()) {
      control.send(new RankReport.Started(ProcessHandle.current().pid()));
      control.input = ParentWatch.line();
      ParentWatch.start(control.connection::removePlace);
    }
    return control;
  }

  /** The control of a rank that another program's launcher started. */
  public static RankControl none(int rank) {
    return new RankControl(rank, null);
  }

  /** Whether our launcher started this JVM. */
  public boolean isLaunched() {
    return connection != null;
  }

  /** This rank's number in the run. */
  public int rank() {
    return rank;
  }

  /** The line that our launcher has for every rank; null if another one started this JVM. */
  public String input() {
    return input;
  }

  /** Sends a report; does nothing without a launcher of ours. */
  public void send(RankReport report) {
    if (isLaunched()) {
      connection.send(report);
    }
  }

  /** Reports how far training is. Only the master does. */
  public void progress(Progress progress) {
    send(new RankReport.Progress(progress.toJson()));
  }

  /**
   * Reports that this rank has finished. A worker that exits without this report counts as failed.
   */
  public void finished() {
    send(new RankReport.Finished());
    flush(FINISHED_MILLIS);
  }

  /**
   * Reports that this rank fails. Call it before anything else that follows from the failure.
   *
   * @param failure the failure
   * @param cause its text, of which the first line is sent
   */
  public void failed(Throwable failure, String cause) {
    String line = cause.lines().findFirst().orElse("unknown cause");
    send(new RankReport.Failed(!isLoss(failure), line));
    flush(FAILED_MILLIS);
  }

  /** Waits until all reports have arrived, for {@code millis} milliseconds at most. */
  public void flush(long millis) {
    if (isLaunched()) {
      connection.flush(millis);
    }
  }

  /** Whether a rank failed because others had failed. */
  public static boolean isLoss(Throwable failure) {
    return failure instanceof LostException
        || failure.getCause() != null && isLoss(failure.getCause());
  }

  /**
   * Where this rank and the others of a generation exchange their ports; null if MPJ Express has
   * its own place.
   */
  public Rendezvous meeting(int generation) {
    return isLaunched() ? (read, write) -> meet(generation, read, write) : null;
  }

  private synchronized String meet(int generation, int readPort, int writePort) {
    send(new RankReport.Listening(generation, readPort, writePort));
    try {
      while (table == null || table.generation() < generation) {
        if (left >= generation) {
          throw new LostException("the launcher ended generation " + generation);
        }
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LostException("interrupted while generation " + generation + " formed", e);
    }
    StringBuilder everyone = new StringBuilder("#Peer Information");
    int number = 0;
    for (Order.Place place : table.places()) {
      everyone.append(';').append(place.host()).append('@').append(place.readPort());
      everyone.append('@').append(place.writePort()).append('@').append(number++).append("@0");
    }
    return everyone.toString();
  }

  private synchronized void met(Order.Table order) {
    table = order;
    notifyAll();
  }

  private synchronized void leave(int generation) {
    left = Math.max(left, generation);
    notifyAll();
  }

  @Override
  public void order(Order order) {
    if (order instanceof Order.Table met) {
      met(met);
    } else if (order instanceof Order.Form form) {
      orders.add(form);
      leave(form.generation() - 1);
      listener.form(form);
    } else if (order instanceof Order.End end) {
      leave(end.generation());
      listener.end(end.generation(), end.reason());
    } else if (order instanceof Order.Release release) {
      listener.release(release);
    } else if (order instanceof Order.Leave) {
      listener.leave();
    } else if (order instanceof Order.Exit) {
      exit.countDown();
    }
  }

  @Override
  public Heartbeat.Wait waiting() {
    return waits.get();
  }

  /** Ends this process: behind a cut link, nothing else would. */
  @Override
  public void silent() {
    System.err.println(
        "no record from the launcher for " + Long.getLong(SILENCE_PROPERTY, 0) / 1000.0 + " s");
    Runtime.getRuntime().halt(1);
  }

  /** Reports what the rank's program waits for, from now on, with every heartbeat. */
  void reportWaits(Supplier<Heartbeat.Wait> now) {
    waits = now;
  }

  /** Sets the listener for orders. */
  void onOrder(Listener told) {
    listener = told;
  }

  /** Waits for the order to end this process; returns false after {@code millis} milliseconds. */
  boolean awaitExit(long millis) {
    return Waits.await(exit, millis, TimeUnit.MILLISECONDS);
  }

  /** Whether an order to form a generation is pending. */
  boolean hasOrder() {
    return !orders.isEmpty();
  }

  /**
   * The newest pending order to form a generation; waits for one, and returns null after {@code
   * millis} milliseconds.
   */
  public Order.Form takeOrder(long millis) throws InterruptedException {
    Order.Form order = orders.poll(millis, TimeUnit.MILLISECONDS);
    for (Order.Form newer = orders.poll(); newer != null; newer = orders.poll()) {
      order = newer;
    }
    return order;
  }
}
