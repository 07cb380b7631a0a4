package io.github.amb.runtime.train.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.train.part.CodecCalibration.Costs;
import io.github.amb.runtime.train.part.CodecChoice.Way;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CodecChoiceTest {
  private static Map<String, Costs> costs(double bytes, double half, double quarter) {
    Map<String, Costs> costs = new LinkedHashMap<>();
    costs.put("none", new Costs(bytes, 0, 0));
    costs.put("fp16", new Costs(bytes / 2, half, half / 2));
    costs.put("int8", new Costs(bytes / 4, quarter, quarter / 2));
    return costs;
  }

  /** Two workers: encoding 1 s, two messages of 4 s each, and decoding 2 s of the last one. */
  @Test
  void messagesAreDecodedWhileTheNextOneComes() {
    Way star = new Way(10, 2, 1, 0);
    assertEquals(1 + 2 * 4 + 2, star.seconds(new Costs(40, 1, 2)));
    assertEquals(1 + 4 + 2 * 8, star.seconds(new Costs(40, 1, 8)));
    assertEquals(1 + 2 * 2 + 1, new Way(10, 2, 0.5, 0).seconds(new Costs(40, 1, 2)));
    assertEquals(1 + 9 + 4 + 2, new Way(10, 2, 1, 9).seconds(new Costs(40, 1, 2)));
    assertEquals(9 + 6 + 6, new Way(10, 2, 1, 9).seconds(new Costs(40, 1, 6))); // It sends until 9.
    assertEquals(0, new Way(Double.POSITIVE_INFINITY, 2, 1, 0).seconds(new Costs(40, 0, 0)));
  }

  @Property(tries = 500)
  void theChoiceIsNoSlowerThanNoneAndNearlyTheBest(
      @ForAll @DoubleRange(min = 1e3, max = 1e10) double bytes,
      @ForAll @DoubleRange(min = 0, max = 1) double half,
      @ForAll @DoubleRange(min = 0, max = 1) double quarter,
      @ForAll @DoubleRange(min = 1e3, max = 1e11) double rate,
      @ForAll @IntRange(min = 1, max = 1000) int workers) {
    Map<String, Costs> costs = costs(bytes, half, quarter);
    for (Way way :
        List.of(
            new Way(rate, workers, 1, 0),
            new Way(rate, workers, 1, bytes / rate),
            new Way(rate, workers, 1.0 / workers, 0))) {
      double seconds = way.seconds(costs.get(CodecChoice.of(costs, way)));
      assertTrue(seconds <= way.seconds(costs.get("none")));
      for (Costs each : costs.values()) {
        double other = way.seconds(each);
        assertTrue(seconds * (1 - CodecChoice.LEAST_GAIN) <= other * (1 + 1e-12));
      }
    }
  }

  @Property(tries = 100)
  void aSlowLinkTakesTheFewestBytesAndAFastOneAll(
      @ForAll @IntRange(min = 1, max = 1000) int micros,
      @ForAll @IntRange(min = 1, max = 1000) int others,
      @ForAll @IntRange(min = 1, max = 1000) int workers) {
    Map<String, Costs> costs = costs(4e6, micros * 1e-6, others * 1e-6);
    assertEquals("int8", CodecChoice.of(costs, new Way(1, workers, 1, 0)));
    assertEquals("none", CodecChoice.of(costs, new Way(1e15, workers, 1, 0)));
    double endless = Double.POSITIVE_INFINITY;
    assertEquals("none", CodecChoice.of(costs, new Way(endless, workers, 1, 0)));
  }
}
