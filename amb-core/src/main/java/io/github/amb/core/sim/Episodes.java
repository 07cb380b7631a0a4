package io.github.amb.core.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Times at which a node is slow, or down: an alternating renewal process, whose episodes and gaps
 * have exponential lengths. It depends on the random source alone, not on when it is asked, and may
 * be shared by threads.
 */
public final class Episodes {
  private final double on;
  private final double off;
  private final UniformRandomProvider random;
  private final List<Long> ends = new ArrayList<>(); // of gap, episode, gap, ...

  /**
   * @param on mean length of an episode in nanoseconds, above 0
   * @param off mean length of a gap in nanoseconds, above 0
   * @param running whether the process has run for long, so that an episode may be under way at
   *     time 0 with probability on / (on + off); otherwise a gap begins then
   * @param random source of the lengths; advanced
   */
  public Episodes(double on, double off, boolean running, UniformRandomProvider random) {
    this.on = on;
    this.off = off;
    this.random = random;
    if (running && random.nextDouble() < on / (on + off)) {
      ends.add(0L);
    }
  }

  /** Whether an episode is under way. */
  public boolean at(long time) {
    return phase(time) % 2 == 1;
  }

  /** The end of the episode or gap that is under way at a time. */
  public synchronized long end(long time) {
    return ends.get(phase(time));
  }

  /** Number of phases that have ended at a time; an episode is under way after an odd number. */
  private synchronized int phase(long time) {
    while (ends.isEmpty() || ends.get(ends.size() - 1) <= time) {
      double mean = ends.size() % 2 == 1 ? on : off;
      double length = mean * ZigguratSampler.Exponential.of(random).sample();
      long from = ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
      ends.add(from + Math.max(1, Math.round(length)));
    }
    int found = Collections.binarySearch(ends, time);
    return found < 0 ? -found - 1 : found + 1;
  }

  /**
   * When work is done that is slower during episodes.
   *
   * @param start when it begins
   * @param work nanoseconds that it takes in a gap
   * @param factor how many times as long it takes during an episode, above 0
   */
  public long finish(long start, long work, double factor) {
    long now = start;
    double left = work;
    while (true) {
      double pace = at(now) ? factor : 1;
      long end = end(now);
      if (now + left * pace <= end) {
        return now + Math.round(left * pace);
      }
      left -= (end - now) / pace;
      now = end;
    }
  }
}
