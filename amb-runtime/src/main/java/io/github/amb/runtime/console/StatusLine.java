package io.github.amb.runtime.console;

import static io.github.amb.core.option.Decimal.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The state of a run in one line that fits a width. */
public final class StatusLine {
  private static final String GAP = "  ";
  private static final int BAR = 20;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int SECONDS_PER_HOUR = 3600;

  /**
   * A part of the line.
   *
   * @param weight parts of less weight are shortened first, and removed first
   * @param text the long form
   * @param brief the short form
   * @param color the escape code that begins its color; empty for none
   */
  private record Part(int weight, String text, String brief, String color) {}

  private final List<Part> parts = new ArrayList<>();

  private StatusLine() {}

  /** The line of a run that trains, or tests its final parameters. */
  static StatusLine of(Progress now) {
    StatusLine line = new StatusLine();
    line.extent(now);
    line.quality(now);
    line.speed(now);
    return line;
  }

  private void extent(Progress now) {
    Progress.FinalTest test = now.finalTest();
    if (test != null) {
      String text = format("final test %d of %d", test.done(), test.of());
      part(100, text, text, Style.BOLD);
    } else if (now.share() != null) {
      int full = (int) (now.share() * BAR);
      part(10, "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]", "", "");
      // Not rounded up: 100 % means done.
      String percent = format("%d %%", (int) (100 * now.share()));
      part(90, percent, percent, Style.BOLD);
    }
    String step = "step " + now.step();
    part(100, now.lastStep() == null ? step : step + "/" + now.lastStep(), step, "");
    if (now.epoch() != null) {
      String epoch = format("epoch %.4g", now.epoch());
      part(now.share() == null ? 85 : 40, epoch, epoch, "");
    }
    if (test == null && now.secondsLeft() != null && now.share() < 1) {
      String left = left(now.secondsLeft());
      part(80, left, left, "");
    }
  }

  private void quality(Progress now) {
    if (now.loss() != null) {
      String loss = format("loss %.4g", now.loss());
      part(70, loss + now.further("  "), loss, "");
    }
    Progress.Score test = now.test();
    if (test != null && (test.accuracy() != null || test.loss() != null)) {
      String score =
          test.accuracy() != null
              ? format("accuracy %.4f", test.accuracy())
              : format("loss %.4g", test.loss());
      part(
          75,
          format("test %s%s (step %d)", score, test.further(", "), test.step()),
          format("%s @%d", score.replace("accuracy", "acc"), test.step()),
          Style.CYAN);
    }
  }

  private void speed(Progress now) {
    if (now.examplesPerSecond() != null) {
      String number = rate(now.examplesPerSecond());
      part(60, number + " examples/s", number + " ex/s", "");
    }
    if (now.virtual()) {
      String time = format("virtual %.4g s", now.time());
      part(30, time, time, "");
    }
    Progress.Workers workers = now.workers();
    if (workers == null) {
      return;
    }
    boolean all = workers.present() == workers.started();
    String present = format("%d/%d workers", workers.present(), workers.started());
    part(all ? 20 : 95, present, present, all ? "" : Style.YELLOW);
    if (workers.slowest() != null && workers.started() > 1) {
      String slowest = "slowest " + workers.slowest();
      part(50, format("%s (%.3g s)", slowest, workers.slowestSeconds()), slowest, "");
    }
  }

  private void part(int weight, String text, String brief, String color) {
    parts.add(new Part(weight, text, brief, color));
  }

  /** The whole line. */
  String whole() {
    return String.join(
        GAP, parts.stream().filter(p -> !p.brief.isEmpty()).map(Part::text).toList());
  }

  /**
   * The line in at most {@code width} columns; the least important parts are shortened, then
   * removed.
   *
   * @param width columns
   * @param style colors
   */
  String fitted(int width, Style style) {
    List<Part> left = new ArrayList<>(parts);
    List<Part> order = parts.stream().sorted(Comparator.comparingInt(Part::weight)).toList();
    for (Part part : order) {
      if (length(left) <= width) {
        break;
      }
      left.set(left.indexOf(part), new Part(part.weight, part.brief, part.brief, part.color));
      left.removeIf(p -> p.text.isEmpty());
    }
    for (Part part : order) {
      if (length(left) <= width || left.size() == 1) {
        break;
      }
      left.removeIf(p -> p.weight == part.weight && p.brief.equals(part.brief));
    }
    if (length(left) > width) {
      return left.get(0).text.substring(0, Math.max(0, width));
    }
    return String.join(GAP, left.stream().map(p -> style.paint(p.text, p.color)).toList());
  }

  private static int length(List<Part> parts) {
    return parts.stream().mapToInt(p -> p.text.length() + GAP.length()).sum() - GAP.length();
  }

  /** A number of examples per second, without insignificant digits. */
  static String rate(double perSecond) {
    return perSecond < 100 ? format("%.3g", perSecond) : format("%.0f", perSecond);
  }

  /**
   * Seconds until work is done that continues at its speed so far.
   *
   * @param seconds since it began
   * @param before share that was done then, 0 to 1
   * @param now share that is done
   * @return infinite if nothing has been done
   */
  public static double secondsLeft(double seconds, double before, double now) {
    boolean known = seconds > 0 && now > before;
    return known ? seconds * (1 - now) / (now - before) : Double.POSITIVE_INFINITY;
  }

  /** The time left, for people. */
  public static String left(double seconds) {
    return duration(seconds) + " left";
  }

  /** A duration for people: 42 s, 1 min 05 s, 2 h 03 min. */
  static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (whole < SECONDS_PER_MINUTE) {
      return whole + " s";
    }
    if (whole < SECONDS_PER_HOUR) {
      return format("%d min %02d s", whole / SECONDS_PER_MINUTE, whole % SECONDS_PER_MINUTE);
    }
    return format(
        "%d h %02d min", whole / SECONDS_PER_HOUR, whole % SECONDS_PER_HOUR / SECONDS_PER_MINUTE);
  }

  /** A stage before training, with its parts done if it has any. */
  static String stage(String what, int done, int of) {
    return of == 0 ? what : what + ": " + done + " of " + of;
  }
}
