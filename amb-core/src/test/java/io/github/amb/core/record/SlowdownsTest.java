package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class SlowdownsTest {
  private static final int FIRST = 5;
  private static final int USUAL = 64;
  private static final int RECENT = 16;
  private static final int WORKERS = 3;

  private final List<LogRecord> log = new ArrayList<>();
  private final Slowdowns slowdowns = new Slowdowns(log::add);
  private double time;

  private List<SlowRecord> slow() {
    return LogRecord.of(SlowRecord.class, log);
  }

  /** One step of all workers, and what else the master does in it. */
  private void step(
      int step, IntToDoubleFunction computing, IntToDoubleFunction network, double pause) {
    double longest = 0;
    for (int rank = 1; rank <= WORKERS; rank++) {
      double work = computing.applyAsDouble(rank);
      double wait = work + network.applyAsDouble(rank);
      longest = Math.max(longest, wait);
      slowdowns.accept(
          new WorkerRecord(time + wait, step, rank, 10, 1, false, 0, 0, 0, 0, work, wait, 0));
    }
    time += longest + pause;
    slowdowns.accept(new StepRecord(time, step, 1, 0.1, 30, 30L * step, 0.01, 0, 0, 0));
  }

  private static IntToDoubleFunction all(double seconds) {
    return rank -> seconds;
  }

  private static IntToDoubleFunction third(double usual, double added) {
    return rank -> rank == 3 ? usual + added : usual;
  }

  /** The rank sum of the first that is beyond 5.5 is 969 of 1,024: 15 higher ones, and one tie. */
  @Test
  void aWorkerOfWhichEachResultTakesLongerIsNamedAfterFifteen() {
    int changed = FIRST + USUAL + RECENT + 20;
    for (int step = 1; step <= changed; step++) {
      step(step, all(1), all(0.1), 0.05);
    }
    for (int step = 1; slow().isEmpty(); step++) {
      assertTrue(step <= RECENT, "not found");
      step(changed + step, third(1, 0.2), all(0.1), 0.05);
    }
    SlowRecord found = slow().get(0);
    assertEquals(changed + 15 - 1, found.step());
    assertEquals(3, found.rank());
    assertEquals(SlowRecord.COMPUTING, found.part());
    assertEquals(1, found.usualSeconds(), 1e-6);
    assertEquals(1.2, found.seconds(), 1e-6);
    assertEquals(1, found.share(), 1e-6);
    for (int step = 1; slow().size() == 1; step++) {
      assertTrue(step <= RECENT, "not over");
      step(changed + 15 + step, all(1), all(0.1), 0.05);
    }
    assertEquals(0, slow().get(1).share());
    assertEquals(1, slow().get(1).seconds(), 1e-6);
  }

  @Test
  void aLinkAndAPauseAreToldFromComputing() {
    for (int step = 1; step <= 200; step++) {
      step(step, all(1), third(0.1, step > 100 ? 0.3 : 0), step > 150 ? 0.35 : 0.05);
    }
    assertEquals(
        List.of("network of worker 3", "pause of the master"),
        slow().stream().map(SlowRecord::place).toList());
    assertEquals(0.5, slow().get(1).share(), 1e-6);
  }

  /** A tenth of what its result takes is little. */
  @Test
  void whatAddsLittleIsNotNamed() {
    for (int step = 1; step <= 200; step++) {
      step(step, third(1, step > 100 ? 0.1 : 0), all(0.1), 0.05);
    }
    assertEquals(List.of(), slow());
  }

  /** After a loss others have more of the master's link. A replacement warms up. */
  @Test
  void aChangeOfTheWorkersIsNoSlowness() {
    for (int step = 1; step <= 300; step++) {
      if (step == 100 || step == 200) {
        slowdowns.accept(new MembershipRecord(time, step, step / 100 + 1, List.of(1, 2), "", 0));
      }
      int since = step % 100;
      step(step, all(step >= 100 && since < 5 ? 3 : 1), all(step < 200 ? 0.1 : 0.3), 0.05);
    }
    assertEquals(List.of(), slow());
  }

  /** A worker that is gone, and a link whose times are taken again, are told not to be slow. */
  @Test
  void aChangeOfTheWorkersEndsWhatWasSlow() {
    for (int step = 1; step <= 150; step++) {
      step(step, third(1, step > 100 ? 3 : 0), third(0.1, step > 100 ? 3 : 0), 0.05);
    }
    assertEquals(2, slow().size());
    slowdowns.accept(new MembershipRecord(time, 150, 2, List.of(1, 2), "", 0));
    assertEquals(
        List.of("computing of worker 3", "network of worker 3"),
        slow().stream().skip(2).map(SlowRecord::place).toList());
    assertTrue(slow().stream().skip(2).noneMatch(SlowRecord::slower));
  }

  /**
   * Delays of which every tenth is twenty times the others, and none of a finite variance. The
   * expectation of the number of alarms is below 3·200·600·2·10⁻⁸.
   */
  @Test
  void heavyTailsAreNoChange() {
    Random random = new Random(7);
    IntToDoubleFunction pareto =
        rank -> Math.pow(random.nextDouble(), -0.7) * (random.nextInt(10) == 0 ? 20 : 1);
    for (int run = 0; run < 200; run++) {
      Slowdowns fresh = new Slowdowns(log::add);
      for (int i = 1; i <= 600; i++) {
        double work = pareto.applyAsDouble(1);
        fresh.accept(new WorkerRecord(i, i, 1, 10, 1, false, 0, 0, 0, 0, work, work, 0));
      }
    }
    assertEquals(List.of(), slow());
  }

  /** The sum by comparing all pairs, and the moment at which it is first beyond the limit. */
  @Property(tries = 100)
  void alarmsComeWhenThePairsSaySo(
      @ForAll Random random, @ForAll @DoubleRange(min = 1, max = 3) double factor) {
    List<LogRecord> records = new ArrayList<>();
    Slowdowns tested = new Slowdowns(records::add);
    double[] times = new double[200];
    long expected = 0;
    for (int i = 0; i < times.length; i++) {
      times[i] = (float) ((1 + random.nextInt(40) / 40.0) * (i < 120 ? 1 : factor));
      tested.accept(new WorkerRecord(i, i + 1, 1, 1, 1, false, 0, 0, 0, 0, times[i], times[i], 0));
      if (expected == 0 && i >= FIRST + USUAL + RECENT - 1 && isSlow(times, i)) {
        expected = i;
      }
    }
    List<SlowRecord> found = LogRecord.of(SlowRecord.class, records);
    assertEquals(expected, found.isEmpty() ? 0 : found.get(0).time());
  }

  private static boolean isSlow(double[] times, int last) {
    double above = 0;
    for (int i = last - RECENT + 1; i <= last; i++) {
      for (int j = FIRST; j < FIRST + USUAL; j++) {
        above += times[i] > times[j] ? 1 : times[i] == times[j] ? 0.5 : 0;
      }
    }
    double deviation = Math.sqrt(USUAL * RECENT * (USUAL + RECENT + 1) / 12.0);
    double usual = median(times, FIRST, FIRST + USUAL);
    double now = median(times, last - RECENT + 1, last + 1);
    return (above - USUAL * RECENT / 2.0) / deviation > 5.5 && now - usual > 0.1 * usual;
  }

  private static double median(double[] times, int from, int to) {
    return IntStream.range(from, to).mapToDouble(i -> times[i]).sorted().toArray()[(to - from) / 2];
  }

  @Test
  void itsRecordIsWrittenAndRead() throws Exception {
    SlowRecord record = new SlowRecord(1.5, 7, 2, SlowRecord.NETWORK, 0.1, 0.4, 0.75);
    String json = RunDirectory.JSON.writerFor(LogRecord.class).writeValueAsString(record);
    assertEquals(
        "{\"type\":\"slow\",\"time\":1.5,\"step\":7,\"rank\":2,\"part\":\"network\","
            + "\"usual_seconds\":0.1,\"seconds\":0.4,\"share\":0.75}",
        json);
    assertEquals(record, RunDirectory.JSON.readValue(json, LogRecord.class));
  }
}
