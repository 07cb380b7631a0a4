package io.github.amb.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.plot.PlotCommand;
import io.github.amb.runtime.plot.ReportCommand;
import io.github.amb.runtime.plot.SummarizeCommand;
import io.github.amb.runtime.train.TrainCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run directory that an older build has recorded is still read. Six steps of two workers, one of
 * which fails, by version 2e0d91a; its membership record has the field names of the builds before.
 */
class RecordedRunTest {
  private static final Path RECORDED = Path.of("src/test/resources/recorded/run");

  @TempDir Path directory;
  private Path run;

  @BeforeEach
  void copyRun() throws Exception {
    run = directory.resolve("run");
    try (Stream<Path> files = Files.walk(RECORDED)) {
      for (Path file : files.toList()) {
        Files.copy(file, run.resolve(RECORDED.relativize(file)));
      }
    }
  }

  @Test
  void oldFieldNamesAreRead() throws Exception {
    List<MembershipRecord> memberships =
        LogRecord.of(MembershipRecord.class, new RunDirectory(run).masterRecords());

    assertEquals(List.of(2), memberships.stream().map(MembershipRecord::generation).toList());
  }

  @Test
  void theRunIsResumed() throws Exception {
    assertEquals(
        0, new TrainCommand().run(List.of("--resume", run.toString(), "--last-step", "8")));

    List<StepRecord> steps = LogRecord.of(StepRecord.class, new RunDirectory(run).masterRecords());
    assertEquals(
        List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), steps.stream().map(StepRecord::step).toList());
    assertTrue(steps.get(6).time() > steps.get(5).time());
    assertEquals(32 + 2 * 4, steps.get(6).totalSamples()); // Both workers are members again.
  }

  @Test
  void theRunIsSummarized() throws Exception {
    assertEquals(0, new SummarizeCommand().run(List.of(run.toString())));
  }

  @Test
  void theRunIsPlotted() throws IOException, InterruptedException {
    Path figures = directory.resolve("figures");

    assertEquals(
        0,
        new PlotCommand()
            .run(
                List.of(
                    run.toString(),
                    "--subset",
                    "loss_vs_step",
                    "--save",
                    "--out",
                    figures.toString())));
    try (Stream<Path> files = Files.list(figures)) {
      assertEquals(1, files.filter(file -> file.toString().endsWith(".png")).count());
    }
  }

  @Test
  void theRunIsReported() throws Exception {
    Path page = directory.resolve("report.html");

    assertEquals(0, new ReportCommand().run(List.of(run.toString(), "--out", page.toString())));
    assertTrue(Files.size(page) > 0);
  }
}
