package io.github.amb.plots.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SummaryPropertyTest {
  @Property
  void timeToTargetIsThatOfTheFirstThatReachedIt(
      @ForAll @Size(max = 20) List<@DoubleRange(min = 0, max = 1) Double> accuracies,
      @ForAll @DoubleRange(min = 0, minIncluded = false, max = 1) double target) {
    List<EvaluationRecord> evaluations = new ArrayList<>();
    for (int i = 0; i < accuracies.size(); i++) {
      double time = i * 7 % 20; // evaluations need not be written in the order of their times
      evaluations.add(new EvaluationRecord(time, i, 1, accuracies.get(i), 100, 0));
    }

    double time = SummaryTarget.accuracy(OptionalDouble.of(target)).reached(evaluations).time();

    List<EvaluationRecord> reached =
        evaluations.stream().filter(record -> record.accuracy() >= target).toList();
    assertEquals(reached.isEmpty(), Double.isNaN(time));
    assertTrue(reached.stream().allMatch(record -> record.time() >= time));
    assertTrue(reached.isEmpty() || reached.stream().anyMatch(record -> record.time() == time));
  }

  @Property(tries = 30)
  void speedUpsAreRatiosOfTheirColumns(
      @ForAll @DoubleRange(min = 0.01, max = 100) double fast,
      @ForAll @DoubleRange(min = 0.01, max = 100) double slow,
      @ForAll @IntRange(min = 1, max = 30) int steps)
      throws IOException {
    Path folder = Files.createTempDirectory("summary");
    try {
      List<RunDirectory> runs =
          List.of(
              new ExampleRun("amb").secondsPerStep(fast).steps(steps).write(folder),
              new ExampleRun("fmb").secondsPerStep(slow).evaluateEvery(3).write(folder));

      Summary summary = Summary.of(runs, SummaryTarget.accuracy(OptionalDouble.of(0.6)), null);

      SummaryRow base = summary.rows().get(summary.baseline());
      assertEquals("fmb", base.id());
      for (SummaryRow row : summary.rows()) {
        assertEquals(base.timeToTarget() / row.timeToTarget(), row.speedUpToTarget());
        assertEquals(row.examplesPerSecond() / base.examplesPerSecond(), row.speedUpExamples());
        assertEquals(row.examples() / row.time(), row.examplesPerSecond());
        assertEquals(row.time() / row.steps(), row.secondsPerStep());
      }
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
