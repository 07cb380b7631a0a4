package io.github.amb.runtime.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A rank's side of the pipe from its launcher, its standard input: ends the rank when the pipe
 * reaches its end, which it does however the launcher dies, and takes orders to form new worlds.
 * Also tells the launcher every second that this process lives.
 */
public final class ParentWatch {
  /** System property by which the launcher says that standard input is its pipe. */
  static final String PROPERTY = "amb.parent.watch";

  /** What the launcher says before the number of an epoch that is to end. */
  static final String END_EPOCH = "end epoch ";

  private static final long PULSE_MILLIS = 1000;
  private static final BlockingQueue<EpochOrder> ORDERS = new LinkedBlockingQueue<>();
  private static volatile Consumer<EpochOrder> listener = order -> {};
  private static volatile int ended;

  private ParentWatch() {}

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
          listener.accept(order);
        } else if (line.matches(END_EPOCH + "\\d{1,9}")) {
          ended = Integer.parseInt(line.substring(END_EPOCH.length()));
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

  /** Calls {@code told}, on another thread, as soon as an order has come. */
  static void onOrder(Consumer<EpochOrder> told) {
    listener = told;
  }

  /** Whether the launcher has ended an epoch, as nothing moved in it. */
  static boolean isEnded(int epoch) {
    return ended >= epoch;
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
