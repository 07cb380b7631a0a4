package io.github.amb.models.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arrays that are in use at the same step have memory of their own. */
class PlacementTest {
  private static final int PLANS = 300;
  private static final int MAX_ARRAYS = 60;
  private static final int STEPS = 40;

  @Test
  void arraysInUseAtOnceNeverOverlap() {
    for (int seed = 0; seed < PLANS; seed++) {
      List<Placement.Lifetime> arrays = arrays(new Random(seed));
      Placement placement = new Placement(arrays);
      for (int step = 0; step < STEPS; step++) {
        assertApart(arrays, placement, step, "seed " + seed + ", step " + step);
      }
    }
  }

  /** Lifetimes and sizes of any length, among them many equal ones. */
  private static List<Placement.Lifetime> arrays(Random random) {
    List<Placement.Lifetime> arrays = new ArrayList<>();
    int count = random.nextInt(MAX_ARRAYS);
    for (int i = 0; i < count; i++) {
      int[] steps = random.ints(random.nextBoolean() ? 2 : 4, 0, STEPS).sorted().toArray();
      List<Placement.Span> spans = new ArrayList<>();
      for (int from = 0; from < steps.length; from += 2) {
        spans.add(new Placement.Span(steps[from], steps[from + 1]));
      }
      long bytes = random.nextBoolean() ? 4096 : 1 + random.nextInt(10_000);
      arrays.add(new Placement.Lifetime(spans, bytes));
    }
    return arrays;
  }

  private static void assertApart(
      List<Placement.Lifetime> arrays, Placement placement, int step, String where) {
    long end = 0;
    List<Integer> live = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      if (arrays.get(i).spans().stream().anyMatch(s -> s.first() <= step && step <= s.last())) {
        live.add(i);
      }
    }
    live.sort((a, b) -> Long.compare(placement.offset(a), placement.offset(b)));
    for (int i : live) {
      assertTrue(placement.offset(i) >= end, where);
      assertEquals(0, placement.offset(i) % Float.BYTES, where);
      end = placement.offset(i) + arrays.get(i).bytes();
    }
    assertTrue(end <= placement.bytes(), where);
  }

  @Test
  void arraysOneAfterTheOtherShareMemory() {
    List<Placement.Lifetime> arrays =
        List.of(array(640, 0, 1), array(640, 2, 3), array(64, 1, 2), array(704, 4, 5));
    assertEquals(704, new Placement(arrays).bytes());
  }

  private static Placement.Lifetime array(long bytes, int first, int last) {
    return new Placement.Lifetime(List.of(new Placement.Span(first, last)), bytes);
  }

  @Test
  void anArrayLivesInTheGapOfAnother() {
    List<Placement.Span> spans = List.of(new Placement.Span(0, 1), new Placement.Span(4, 5));
    var interrupted = new Placement.Lifetime(spans, 640);
    assertEquals(640, new Placement(List.of(interrupted, array(640, 2, 3))).bytes());
    assertEquals(1280, new Placement(List.of(interrupted, array(640, 2, 4))).bytes());
  }
}
