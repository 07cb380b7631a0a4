package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs with {@code --codec auto} on the virtual cluster. */
class CodecAutoTest extends VirtualRuns {
  private static final double[] GIGABITS = {0.1, 1, 10, 25};

  private double seconds(String command, String codec) throws IOException {
    RunDirectory run = train(codec + command.hashCode(), command + " --codec " + codec);
    List<StepRecord> steps = stepRecords(run);
    return steps.get(steps.size() - 1).time();
  }

  /** Encoding and decoding take nanoseconds per entry; computing takes next to none. */
  @ParameterizedTest
  @CsvSource({
    "star, 2, 1e-9",
    "star, 8, 5e-10",
    "star, 8, 3e-9",
    "sliced, 4, 1e-10",
    "sliced, 8, 1e-9"
  })
  void itIsNoSlowerThanNoneAndNearlyAsFastAsTheBest(String topology, int workers, double cost)
      throws IOException {
    Set<String> chosen = new TreeSet<>();
    for (double gigabits : GIGABITS) {
      String command =
          "mnist fmb sgd 1 --engine sim --gradients none --parameters 400000 --workers %d"
                  .formatted(workers)
              + " --topology %s --bandwidth %s --cost-per-example 1e-6 --last-step 3"
                  .formatted(topology, gigabits * 1e9)
              + " --cost-per-encoded-entry %s --cost-per-decoded-entry %s".formatted(cost, cost);
      double none = seconds(command, "none");
      double best = Math.min(none, Math.min(seconds(command, "fp16"), seconds(command, "int8")));
      double auto = seconds(command, "auto");
      String found =
          new RunDirectory(directory.resolve("auto" + command.hashCode()))
              .read()
              .configured("codec", "none");
      chosen.add(found);
      String what =
          "%s Gbit/s: %s %s, none %s, best %s".formatted(gigabits, found, auto, none, best);
      assertTrue(auto <= 1.02 * none, what);
      assertTrue(auto <= 1.05 * best, what);
    }
    assertTrue(chosen.contains("int8"), chosen.toString());
  }

  /**
   * A million entries in 4,000 buckets of 260 bytes, over links of 1 MB/s. The master sends until
   * 8.19 s. Then it decodes the first gradient, and at 9.33 s it has the second one.
   */
  @Test
  void encodedMessagesTakeTheirTimesWithoutGradients() throws IOException {
    String command =
        "mnist fmb sgd 1 --engine sim --gradients none --parameters 1024000 --workers 2"
            + " --bandwidth 8e6 --cost-per-example 0 --codec int8 --last-step 2"
            + " --cost-per-encoded-entry 1e-7 --cost-per-decoded-entry 2e-7";
    List<StepRecord> steps = stepRecords(train("sizes", command));
    double header = 192e-6;
    double second = 2 * (4.096 + header) + 0.1024 + 1.04 + header;
    assertEquals(second + 0.2048, steps.get(1).time() - steps.get(0).time(), 1e-6);
    assertEquals(
        2 * (1_040_000 + 192), steps.get(1).bytesReceived() - steps.get(0).bytesReceived());
  }

  @Test
  void aResumedRunKeepsTheChoice() throws IOException {
    String command =
        "toy fmb rms 16 --network logistic-regression --engine sim --workers 3"
            + " --cost-per-example 0.02 --bandwidth 1e5 --evaluate last --checkpoint-every 2";
    RunDirectory run = train("run", command + " --codec auto --last-step 4");
    assertEquals("int8", run.read().configured("codec", "none"));
    RunDirectory again = resume("run", "--codec auto --bandwidth 1e5 --last-step 8");
    assertEquals("int8", again.read().configured("codec", "none"));
    RunDirectory fixed = train("fixed", command + " --codec int8 --last-step 8");
    assertEquals(
        fixed.read().ending().parametersSha256(), again.read().ending().parametersSha256());
  }

  /** What scheme coded multiplies by large weights must be exact. */
  @Test
  void codecsThatTheSchemeRejectsAreNotChosen() throws IOException {
    String command =
        "toy coded sgd 16 --network logistic-regression --engine sim --workers 3"
            + " --cost-per-example 0.02 --bandwidth 1e5 --evaluate last --last-step 2";
    RunDirectory run = train("coded", command + " --codec auto");
    assertEquals("none", run.read().configured("codec", "none"));
  }
}
