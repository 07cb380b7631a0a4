package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
  @TempDir Path folder;

  @Test
  void phasesAreThoseComputedByHand() {
    // A gradient comes at 3: sent for 0.5 (as the next record tells), computed 2, of which 1 slept.
    WorkerRecord first = worker(3, 1, -1, -1, -1, 1, 2);
    WorkerRecord second = worker(7, 2, 0.5, 0.75, 0.25, 0, 1.5);
    StepRecord step = new StepRecord(3.5, 1, 0, 0, 64, 64, 0.25, 0.1, 0, 0);

    List<Span> spans = Spans.of(run(List.of(step), List.of(first, second)));

    assertEquals(
        List.of(
            new Span(0, Phase.SEND, 0, 0.1, 1),
            new Span(0, Phase.WAIT, 0.1, 3.25, 1),
            new Span(0, Phase.APPLY, 3.25, 3.5, 1),
            new Span(1, Phase.SLEEP, 0.5, 1.5, 1),
            new Span(1, Phase.COMPUTE, 1.5, 2.5, 1),
            new Span(1, Phase.SEND, 2.5, 3, 1),
            new Span(1, Phase.WAIT, 3, 4, 1),
            new Span(1, Phase.COMPUTE, 5.5, 7, 2)),
        spans);
  }

  @Test
  void figureHasARowForEachRank() {
    Run run = RunReader.read(new ExampleRun("fmb").workers(3).steps(40).write(folder));

    Drawing drawing = Timeline.draw(List.of(run), List.of(), View.PLAIN);

    assertEquals(List.of("compute", "induced delay", "wait", "send", "apply"), drawing.labels());
    assertEquals(
        List.of("master", "worker 1", "worker 2", "worker 3"),
        drawing.contents().get(0).frame().yNames());
    assertTrue(drawing.contents().get(0).points().allMatch(point -> point.end() <= 20.001));
  }

  @Test
  void workerWithoutRecordsHasARow() {
    Run run = RunReader.read(new ExampleRun("fmb").workers(2).with("workers", 3).write(folder));

    Drawing drawing = Timeline.draw(List.of(run), List.of(), View.PLAIN);

    assertEquals(
        List.of("master", "worker 1", "worker 2", "worker 3"),
        drawing.contents().get(0).frame().yNames());
  }

  @Test
  void runsOfLikeSpeedHaveOneAxis() {
    List<Run> runs =
        Stream.of(2.0, 5.0, 7.0)
            .map(
                seconds ->
                    new ExampleRun("s" + seconds).secondsPerStep(seconds).with("engine", "sim"))
            .map(run -> RunReader.read(run.write(folder)))
            .toList();

    Drawing alike = Timeline.draw(runs.subList(0, 2), List.of("two", "five"), View.PLAIN);
    Drawing apart = Timeline.draw(runs, List.of(), View.PLAIN);

    assertEquals(List.of(50.0, 50.0), ends(alike));
    assertEquals(List.of(20.0, 50.0, 70.0), ends(apart));
    assertEquals("two: virtual time (s)", alike.contents().get(0).frame().x().label());
    assertThrows(UsageException.class, () -> Timeline.draw(runs, List.of("one name"), View.PLAIN));
  }

  private static List<Double> ends(Drawing drawing) {
    return drawing.contents().stream()
        .map(content -> content.points().mapToDouble(Point::end).max().orElseThrow())
        .map(end -> Math.rint(end * 1000) / 1000)
        .toList();
  }

  @Test
  void traceIsWhatViewersRead() throws IOException {
    Run run = RunReader.read(new ExampleRun("fmb").workers(2).steps(5).write(folder));
    Path file = folder.resolve("t." + TraceEvents.EXTENSION);

    TraceEvents.write(List.of(run), file);

    JsonNode events = new ObjectMapper().readTree(file.toFile()).required("traceEvents");
    int complete = 0;
    for (JsonNode event : events) {
      if (event.required("ph").asText().equals("X")) {
        complete++;
        assertTrue(event.required("ts").canConvertToLong() && event.required("dur").asLong() > 0);
        assertEquals(0, event.required("pid").asInt());
      }
    }
    assertEquals(Spans.of(run).size(), complete);
    assertEquals("process_name", events.get(0).required("name").asText());
    assertEquals("master", events.get(1).required("args").required("name").asText());
  }

  @Test
  void emptyRunHasNoTimeline() {
    Run run = RunReader.read(new ExampleRun("fmb").workers(0).steps(0).write(folder));

    assertThrows(UsageException.class, () -> Timeline.draw(List.of(run), List.of(), View.PLAIN));
  }

  private static WorkerRecord worker(
      double time, long step, double send, double recv, double exit, double sleep, double compute) {
    return new WorkerRecord(time, step, 1, 64, 1, false, send, recv, exit, sleep, compute, 0, 0);
  }

  private Run run(List<StepRecord> steps, List<WorkerRecord> workers) {
    RunInfo info =
        new RunInfo(1, "r", "", List.of(), Map.of("scheme", "fmb"), 1, Map.of(), Map.of(), null);
    return new Run(new RunDirectory(folder), info, List.copyOf(steps), workers, 1);
  }
}
