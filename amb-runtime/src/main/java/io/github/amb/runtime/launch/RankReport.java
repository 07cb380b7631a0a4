package io.github.amb.runtime.launch;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines on standard error by which a rank tells the launcher how it ends.
 *
 * @param rank who reports
 * @param kind what it says
 * @param text why it fails, the number of the process, the number of the epoch that it is about and
 *     what else it says of it, or what it waits for; else empty
 */
public record RankReport(int rank, Kind kind, String text) {
  /** What a rank says. */
  enum Kind {
    /** All is done that the rank had to do. */
    FINISHED("finished"),
    /** The first step begins; the master says so. */
    TRAINING("training"),
    /** No step follows; the master says so, before it tells the workers. */
    OVER("training is over"),
    /** A replacement has loaded all that it needs and may join. */
    READY("ready to join"),
    /** The process lives; said every second. */
    ALIVE("alive"),
    /** The number of the process on its host. */
    PROCESS("runs as process"),
    /** The rank is about to connect to all others of an epoch. */
    CONNECTING("connects in epoch"),
    /** The rank is connected to all others of an epoch. */
    CONNECTED("connected in epoch"),
    /** Who connected to the rank in an epoch without being a rank, and was dropped. */
    DROPS("drops in epoch"),
    /** Who sent the master a malformed frame in an epoch, and why it is one. */
    DISTRUSTS("distrusts in epoch"),
    /** The rank's world has ended, and it waits for an order. */
    LOST("lost epoch"),
    /** The rank fails. */
    FAILED(null);

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private static final List<Kind> WITH_NUMBER =
      List.of(Kind.PROCESS, Kind.CONNECTING, Kind.CONNECTED, Kind.DROPS, Kind.DISTRUSTS, Kind.LOST);
  private static final String WAITS = ", waits for ";
  private static final Pattern LINE = Pattern.compile("amb: rank (\\d{1,6}): (.*)");

  /** Reports that this rank fails; call it before anything else that its failure leads to. */
  public static void failed(int rank, String cause) {
    print(rank, cause.lines().findFirst().orElse("unknown cause"));
  }

  /**
   * Reports that this rank is done, if our launcher started it; a worker that exits without is
   * taken for crashed.
   */
  public static void finished(int rank) {
    if (ParentWatch.isLaunched()) {
      print(rank, Kind.FINISHED.words);
    }
  }

  /** Reports that the first step begins. */
  static void training(int rank) {
    print(rank, Kind.TRAINING.words);
  }

  /** Reports that no step follows. */
  static void over(int rank) {
    print(rank, Kind.OVER.words);
  }

  /** Reports that a replacement may join. */
  static void ready(int rank) {
    print(rank, Kind.READY.words);
  }

  /** Reports the number of this process. */
  static void process(int rank) {
    print(rank, Kind.PROCESS.words + " " + ProcessHandle.current().pid());
  }

  /**
   * Reports that the process lives.
   *
   * @param waits what its program waits for, a word; empty if it does not
   */
  static void alive(int rank, String waits) {
    print(rank, waits.isEmpty() ? Kind.ALIVE.words : Kind.ALIVE.words + WAITS + waits);
  }

  /** Reports that this rank is about to join the world of an epoch, if our launcher started it. */
  static void connecting(int rank, int epoch) {
    if (ParentWatch.isLaunched()) {
      print(rank, Kind.CONNECTING.words + " " + epoch);
    }
  }

  /** Reports that it has. */
  static void connected(int rank, int epoch) {
    if (ParentWatch.isLaunched()) {
      print(rank, Kind.CONNECTED.words + " " + epoch);
    }
  }

  /** Reports who connected to this rank in an epoch without being a rank, and was dropped. */
  static void drops(int rank, int epoch, List<String> strangers) {
    print(rank, Kind.DROPS.words + " " + epoch + " " + String.join(" ", strangers));
  }

  /**
   * Reports that a rank has sent a malformed frame.
   *
   * @param sender its lasting number
   */
  static void distrusts(int rank, int epoch, int sender, String reason) {
    print(rank, Kind.DISTRUSTS.words + " " + epoch + " " + sender + " " + reason);
  }

  /** Reports that the world of an epoch has ended. */
  static void lost(int rank, int epoch) {
    print(rank, Kind.LOST.words + " " + epoch);
  }

  private static void print(int rank, String text) {
    System.err.println("amb: rank " + rank + ": " + text);
  }

  /** The report in a line that rank {@code rank} wrote, if it is one. */
  static Optional<RankReport> parse(int rank, String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) != rank) {
      return Optional.empty();
    }
    String text = matcher.group(2);
    for (Kind kind : Kind.values()) {
      if (text.equals(kind.words)) {
        return Optional.of(new RankReport(rank, kind, ""));
      }
    }
    if (text.startsWith(Kind.ALIVE.words + WAITS)) {
      String waits = text.substring(Kind.ALIVE.words.length() + WAITS.length());
      return Optional.of(new RankReport(rank, Kind.ALIVE, waits));
    }
    for (Kind kind : WITH_NUMBER) {
      if (text.matches(kind.words + " \\d{1,9}( .*)?")) {
        return Optional.of(new RankReport(rank, kind, text.substring(kind.words.length() + 1)));
      }
    }
    return Optional.of(new RankReport(rank, Kind.FAILED, text));
  }
}
