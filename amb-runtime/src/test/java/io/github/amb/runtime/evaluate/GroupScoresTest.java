package io.github.amb.runtime.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GroupScoresTest {
  /** Few scores, so that many are tied. */
  @Property
  void theAreaIsTheShareOfPairs(
      @ForAll @Size(max = 40) List<@IntRange(min = -3, max = 3) Integer> negative,
      @ForAll @Size(max = 40) List<@IntRange(min = -3, max = 3) Integer> positive) {
    int count = negative.size() + positive.size();
    double[] scores = new double[count];
    double pairs = 0;
    for (int i = 0; i < count; i++) {
      boolean first = i < negative.size();
      scores[i] = 0.1 * (first ? negative.get(i) : positive.get(i - negative.size()));
    }
    for (int other : negative) {
      for (int own : positive) {
        pairs += own > other ? 1 : own == other ? 0.5 : 0;
      }
    }
    double expected = pairs / (negative.size() * (double) positive.size());

    assertEquals(expected, GroupScores.auc(scores, i -> i >= negative.size()));
  }

  @Test
  void withoutPairsThereIsNoArea() {
    assertTrue(Double.isNaN(GroupScores.auc(new double[] {1, 2}, i -> true)));
    assertTrue(Double.isNaN(GroupScores.auc(new double[0], i -> true)));
  }
}
