package io.github.amb.bench.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.bench.harness.Sample;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalingTest {
  private static final double LATENCY = 1e-3;
  private static final double BANDWIDTH = 1e8;
  private static final int PARAMETERS = 1_000_000;

  /** Floats as they are: n vectors out and n in over the master's link, and two latencies. */
  @Test
  void withoutCodecAStepTakesTheMastersLinkTwicePerWorker() {
    double vector = 4.0 * PARAMETERS / BANDWIDTH;
    for (Map<String, Object> row : table(List.of())) {
      int workers = (Integer) row.get("workers");
      // The first gradients come in while the last parameters still go out.
      double most = 2 * workers * vector + 2 * LATENCY;
      double least = (workers + 1) * vector + 2 * LATENCY;
      double found = ((Sample) row.get("step_s")).median();
      assertTrue(found > least * 0.99 && found < most * 1.01, row + ": " + least + " to " + most);
    }
  }

  @Test
  void aSmallerMessageThatCostsNothingToMakeIsFaster() {
    var half = new Scaling.Wire("half", 0.5, 0, 0);
    List<Map<String, Object>> rows = table(List.of(half));
    double none = ((Sample) rows.get(2).get("step_s")).median();
    double up = ((Sample) rows.get(5).get("step_s")).median();
    double both = ((Sample) rows.get(8).get("step_s")).median();
    assertTrue(both < up && up < none, rows.toString());
    assertEquals(0.5, both / none, 0.01);
  }

  @Test
  void decodingIsDoneByTheMasterForOneWorkerAfterTheOther() {
    var slow = new Scaling.Wire("slow", 1e-4, 0, 1e-6);
    double found = ((Sample) table(List.of(slow)).get(8).get("step_s")).median();
    assertEquals(10 + 1, found, 0.1);
  }

  @Test
  void aCodecsMessagesAreAsSmallAsItSays() {
    assertEquals(1.0 / 7.85, Scaling.Wire.measured("qsgd:4").share(), 0.01);
  }

  private static List<Map<String, Object>> table(List<Scaling.Wire> wires) {
    return new Scaling(LATENCY, BANDWIDTH, PARAMETERS)
        .table("links", new int[] {1, 3, 10}, wires)
        .rows();
  }
}
