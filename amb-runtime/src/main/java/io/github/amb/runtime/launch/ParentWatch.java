package io.github.amb.runtime.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rank's side of the pipe from its launcher, its standard input: ends the rank when the pipe
 * reaches its end, which it does however the launcher dies, and takes orders to form new worlds.
 * Also tells the launcher every second that this process lives.
 */
public final class ParentWatch {
  /** System property by which the launcher says that standard input is its pipe. */
  static final String PROPERTY = "amb.parent.watch";

  private static final String END_EPOCH = "end epoch ";

  private static final long PULSE_MILLIS = 1000;
  private static final BlockingQueue<EpochOrder> ORDERS = new LinkedBlockingQueue<>();
  private static final Pattern END = Pattern.compile(END_EPOCH + "(\\d{1,9}) (.+)");
  private static volatile Listener listener = new Listener() {};

  /** Hears of orders as soon as they have come, on another thread. */
  interface Listener {
    /** A world is to be formed. */
    default void form(EpochOrder order) {}

    /** A world is to end. */
    default void end(int epoch, String reason) {}
  }

  private ParentWatch() {}

  /** What the launcher says to end an epoch. */
  static String endOf(int epoch, String reason) {
    return END_EPOCH + epoch + " " + reason;
  }

  /** Whether the launcher started this JVM. */
  public static boolean isLaunched() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Starts to watch if the launcher started this JVM; else does nothing. */
  public static void start() {
    if (isLaunched()) {
      daemon("parent-watch", ParentWatch::watch);
    }
  }

  /**
   * The same, and tells the launcher that this process lives.
   *
   * @param rank this rank
   */
  public static void start(int rank) {
    start();
    if (isLaunched()) {
      daemon("pulse", () -> pulse(rank));
      Lifeline.start(rank);
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        EpochOrder order = EpochOrder.parse(line);
        if (order != null) {
          ORDERS.add(order);
          listener.form(order);
        }
        Matcher end = END.matcher(line);
        if (end.matches()) {
          listener.end(Integer.parseInt(end.group(1)), end.group(2));
        }
      }
    } catch (IOException e) {
      // As good as the end of the pipe.
    }
    Runtime.getRuntime().halt(1);
  }

  private static void pulse(int rank) {
    try {
      while (true) {
        RankReport.alive(rank, ReportedWaits.describe());
        Thread.sleep(PULSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has {@code told} hear of orders. */
  static void onOrder(Listener told) {
    listener = told;
  }

  /** Whether an order waits. */
  static boolean hasOrder() {
    return !ORDERS.isEmpty();
  }

  /** The newest order; waits for one, and returns null if none comes in time. */
  static EpochOrder takeOrder(long millis) throws InterruptedException {
    EpochOrder order = ORDERS.poll(millis, TimeUnit.MILLISECONDS);
    for (EpochOrder newer = ORDERS.poll(); newer != null; newer = ORDERS.poll()) {
      order = newer;
    }
    return order;
  }
}
