package io.github.amb.runtime.control;

/** The launcher's state about one process of a rank, across all connections of that process. */
public final class ControlLine {
  /** Receives the rank's records, on the server's thread. */
  public interface Listener {
    /** The process sent a heartbeat. */
    void lives(Heartbeat heartbeat);

    /** The process sent a report. */
    void report(RankReport report);
  }

  final int rank;
  final int start;
  final Listener listener;
  final Backlog backlog = new Backlog();

  /** Number of received reports; used by the server's thread alone. */
  long received;

  private final Runnable news;

  ControlLine(int rank, int start, Listener listener, Runnable news) {
    this.rank = rank;
    this.start = start;
    this.listener = listener;
    this.news = news;
  }

  /** Sends an order; if the rank is not connected, it is sent after the next connection. */
  public void send(Order order) {
    backlog.add(order);
    news.run();
  }
}
