package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CheckpointPaceTest {
  /** A master whose checkpoints take a while, which it waits for as it is told to. */
  private static final class Training {
    private final CheckpointPace pace;
    private final List<Long> begun = new ArrayList<>();
    private double time;
    private double waited;
    private double writtenAt;
    private boolean writing;
    private long onDisk;
    private double onDiskTime;

    Training(Interval every) {
      pace = new CheckpointPace(every);
    }

    void step(long step, double duration, double writeTime, boolean stepsCount) {
      time += duration;
      if (writing && pace.isLate(step, time)) {
        waited += Math.max(0, writtenAt - time);
        time = Math.max(time, writtenAt);
      }
      if (writing && writtenAt <= time) {
        double began = pace.passed(0, writtenAt);
        settle(stepsCount ? 0 : began);
      }
      if (!writing && pace.isDue(step, time)) {
        pace.begun(step, time);
        begun.add(step);
        writing = true;
        writtenAt = time + writeTime;
      }
    }

    private void settle(double took) {
      writing = false;
      onDisk = begun.get(begun.size() - 1);
      onDiskTime = writtenAt - took;
      pace.safe();
      pace.took(took);
    }
  }

  @Property(tries = 300)
  void noCheckpointIsOlderThanTheStepsOfItsInterval(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int every) {
    SplittableRandom random = new SplittableRandom(seed);
    Training training = new Training(Interval.parse("" + every));
    for (long step = 1; step <= 100; step++) {
      training.step(step, random.nextDouble(), 5 * random.nextDouble(), true);
      assertTrue(step - training.onDisk <= every, step + ": " + training.onDisk);
    }
    for (int i = 0; i < training.begun.size(); i++) {
      assertEquals((i + 1L) * every, training.begun.get(i));
    }
  }

  /** A step's own length is not known before it is over. */
  @Property(tries = 300)
  void noCheckpointIsOlderThanIntervalPlusStep(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int every) {
    SplittableRandom random = new SplittableRandom(seed);
    Training training = new Training(Interval.parse(every + "s"));
    double longest = 0;
    for (long step = 1; step <= 300; step++) {
      training.step(step, random.nextDouble(), 0.4 * every * random.nextDouble(), false);
      longest = Math.max(longest, training.time - training.onDiskTime);
    }
    assertTrue(longest <= 1.4 * every + 2, "%s of %s".formatted(longest, every));
  }

  @Test
  void whatAlwaysTakesAsLongIsNeverWaitedFor() {
    Training training = new Training(Interval.parse("60s"));
    training.pace.expectMost();
    for (long step = 1; step <= 10_000; step++) {
      training.step(step, 0.1, 10, false);
      assertTrue(step < 1000 || training.time - training.onDiskTime <= 60.2);
    }
    assertEquals(0, training.waited, 1e-6);
    assertEquals(300, training.begun.get(0), 1);
    assertEquals(500, training.begun.get(2) - training.begun.get(1), 2);
  }

  @Test
  void onlyTheLastOneIsNeverDue() {
    CheckpointPace pace = new CheckpointPace(Interval.LAST);
    pace.expectMost();
    assertFalse(pace.isDue(1_000_000, 1e9));
    assertFalse(pace.isLate(1_000_000, 1e9));
  }
}
