package io.github.amb.runtime.control;

/**
 * The launcher's end of what it and one process of a rank say to each other, on however many
 * connections one after the other.
 */
public final class ControlLine {
  /** Hears of what the rank says, on the server's thread. */
  public interface Listener {
    /** The process lives. */
    void lives(Heartbeat heartbeat);

    /** It reports something. */
    void report(RankReport report);
  }

  final int rank;
  final int start;
  final Listener listener;
  final Backlog backlog = new Backlog();

  /** Reports that have come; the server's thread alone uses it. */
  long received;

  private final Runnable news;

  ControlLine(int rank, int start, Listener listener, Runnable news) {
    this.rank = rank;
    this.start = start;
    this.listener = listener;
    this.news = news;
  }

  /** Tells the rank; what cannot be said now is said when it has connected again. */
  public void send(Order order) {
    backlog.add(order);
    news.run();
  }
}
