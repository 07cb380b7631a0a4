package io.github.amb.core.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hands records on, and adds one for each part of the run that has become slow: a worker's
 * computation or link, the master's update, or its pauses.
 *
 * <p>The last 16 times of a part are compared with the 64 that came first, by the rank sum of
 * Wilcoxon, Mann and Whitney. Its distribution is the same for all distributions of times, so
 * stragglers that were there from the beginning cause no alarm. All of 16 equal times without a
 * change exceed 64 others with probability 1/C(80, 16) = 4·10⁻¹⁷.
 */
public final class Slowdowns implements Consumer<LogRecord> {
  private static final int USUAL = 64;
  private static final int RECENT = 16;

  /** Results and steps at first, in which Java compiles. */
  private static final int FIRST = 5;

  /** Standard deviations of the rank sum beyond which a part has changed. */
  private static final double SURE = 5.5;

  /** Standard deviations below which it is as before. */
  private static final double AS_BEFORE = 2;

  /** What a slow part adds at least, as a share of the usual time of a result or step. */
  private static final double MIN_ADDED = 0.1;

  /** Workers with higher ranks are not followed, as each takes memory. */
  private static final int MAX_WORKERS = 10_000;

  private final Consumer<? super LogRecord> next;
  private final Map<Integer, Part[]> workers = new HashMap<>();
  private final Part update = new Part(0, SlowRecord.UPDATE);
  private final Part pause = new Part(0, SlowRecord.PAUSE);
  private final Part waiting = new Part(0, null); // for results; never judged
  private final Part[] master = {update, pause};
  private double longest;
  private double lastTime;
  private long step;

  /** The times of a part. */
  private static final class Part {
    private final int rank;
    private final String name;
    private final float[] usual = new float[USUAL];
    private final float[] recent = new float[RECENT];
    private int skipped = FIRST;
    private int usualCount;
    private long recentCount;
    private long unit = 1;
    private boolean slow;

    Part(int rank, String name) {
      this.rank = rank;
      this.name = name;
    }

    /** Adds the time of some units. */
    void add(double seconds, long units) {
      if (skipped > 0) {
        skipped--;
        return;
      }
      unit = units;
      float each = (float) (seconds / units);
      if (usualCount < USUAL) {
        usual[usualCount++] = each;
        if (usualCount == USUAL) {
          Arrays.sort(usual);
        }
      } else {
        recent[(int) (recentCount++ % RECENT)] = each;
      }
    }

    void begin() {
      skipped = FIRST;
      recentCount = 0;
    }

    void forget() {
      begin();
      usualCount = 0;
    }

    private boolean isKnown() {
      return recentCount >= RECENT;
    }

    double usual() {
      return usualCount < USUAL ? 0 : unit * (double) usual[USUAL / 2];
    }

    double now() {
      float[] sorted = recent.clone();
      Arrays.sort(sorted);
      return unit * (double) sorted[RECENT / 2];
    }

    double added() {
      return isKnown() ? Math.max(0, now() - usual()) : 0;
    }

    /** The rank sum's distance from its mean, in standard deviations without ties. */
    double distance() {
      double above = 0;
      for (float time : recent) {
        above += (below(time) + below(Math.nextUp(time))) / 2.0;
      }
      double all = USUAL * RECENT;
      return (above - all / 2) / Math.sqrt(all * (USUAL + RECENT + 1) / 12);
    }

    /** How many of the usual times are less than a time. */
    private int below(float time) {
      int low = 0;
      for (int high = USUAL; low < high; ) {
        int middle = (low + high) >>> 1;
        if (usual[middle] < time) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /**
   * @param next receives all records, those of this class after what caused them
   */
  public Slowdowns(Consumer<? super LogRecord> next) {
    this.next = next;
  }

  @Override
  public void accept(LogRecord record) {
    next.accept(record);
    if (record instanceof WorkerRecord result) {
      longest = Math.max(longest, result.masterWaitTime());
      double network = Math.max(0, result.masterWaitTime() - result.computeTime());
      worked(result, network);
    } else if (record instanceof DropRecord late) {
      worked(late, Double.NaN);
    } else if (record instanceof StepRecord done) {
      stepped(done);
    } else if (record instanceof MembershipRecord change) {
      workers.forEach(
          (rank, parts) -> {
            parts[0].begin();
            if (!change.workers().contains(rank)) {
              end(parts[0], change.time());
            }
            end(parts[1], change.time());
            parts[1].forget(); // How many share the master's link has changed.
          });
      pause.begin();
    }
  }

  private void worked(ResultRecord result, double network) {
    long examples = result.numSamples();
    if (examples > 0 && result.rank() <= MAX_WORKERS) {
      Part[] parts =
          workers.computeIfAbsent(
              result.rank(),
              r -> new Part[] {new Part(r, SlowRecord.COMPUTING), new Part(r, SlowRecord.NETWORK)});
      parts[0].add(result.computeTime() - Math.max(0, result.sleepTime()), examples);
      if (!Double.isNaN(network)) {
        parts[1].add(network, 1);
      }
      judge(parts, parts[0].usual() + parts[1].usual(), result.time());
    }
  }

  private void stepped(StepRecord done) {
    step = done.step();
    double whole = done.time() - lastTime;
    update.add(done.updateTime(), 1);
    pause.add(Math.max(0, whole - done.updateTime() - done.sendTime() - longest), 1);
    waiting.add(Math.max(0, done.sendTime() + longest), 1);
    judge(master, update.usual() + pause.usual() + waiting.usual(), done.time());
    lastTime = done.time();
    longest = 0;
  }

  private void judge(Part[] parts, double usual, double time) {
    for (Part part : parts) {
      if (!part.isKnown()) {
        continue;
      }
      double distance = part.distance();
      boolean slower = distance > SURE && part.added() > MIN_ADDED * usual;
      if (part.slow && distance < AS_BEFORE) {
        end(part, time);
      } else if (!part.slow && slower) {
        part.slow = true;
        tell(part, part.added() / all(), time);
      }
    }
  }

  /** What is no longer watched is not slow for ever. */
  private void end(Part part, double time) {
    if (part.slow) {
      part.slow = false;
      tell(part, 0, time);
    }
  }

  private void tell(Part part, double share, double time) {
    next.accept(new SlowRecord(time, step, part.rank, part.name, part.usual(), part.now(), share));
  }

  /** What all parts take longer than before. */
  private double all() {
    List<Part> parts = new ArrayList<>(List.of(update, pause));
    workers.values().forEach(own -> parts.addAll(List.of(own)));
    return parts.stream().mapToDouble(Part::added).sum();
  }
}
