package io.github.amb.runtime.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunViewTest {
  private static final String CLEAR = "\r\033[2K";
  private static final long SECOND = 1_000_000_000L;
  private static final Path RUN = Path.of("/runs/one");

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private long now;

  @Test
  void aTerminalHasOneLineWhoseWidthIsFollowed() {
    int[] width = {80};
    TerminalView view = new TerminalView(out, () -> width[0], new Style(false), () -> now);
    view.stage("starting ranks", 1, 3);
    view.progress(step(1));
    width[0] = 20;
    now += SECOND;
    view.progress(step(2));
    view.end();
    List<String> drawn = drawn();
    assertEquals("starting ranks: 1 of 3", drawn.get(0));
    assertTrue(drawn.get(1).startsWith("0 %  step 1 "), drawn.get(1));
    assertTrue(drawn.get(1).length() < 80, drawn.get(1));
    assertTrue(drawn.get(2).startsWith("1 %  step 2"), drawn.get(2));
    assertTrue(drawn.get(2).strip().length() < 20, drawn.get(2));
    assertEquals(3, drawn.size());
    assertTrue(text().endsWith("\n"));
  }

  @Test
  void aTerminalIsRewrittenTenTimesASecond() {
    TerminalView view = new TerminalView(out, () -> 80, new Style(false), () -> now);
    for (int step = 1; step <= 200; step++) {
      view.progress(step(step));
      now += SECOND / 1000;
    }
    view.end();
    // At 0 and 100 ms, and at the end.
    assertEquals(3, drawn().size());
    assertTrue(drawn().get(2).contains("step 200"), text());
  }

  @Test
  void messagesStandAboveTheLine() {
    TerminalView view = new TerminalView(out, () -> 80, new Style(false), () -> now);
    PrintStream errors = view.above(out);
    errors.println("amb: before");
    view.stage("calibrating lenet", 0, 0);
    errors.print("amb: ");
    errors.print("a warning\n");
    assertEquals(
        "amb: before\n"
            + CLEAR
            + "calibrating lenet"
            + CLEAR
            + "amb: a warning\n"
            + CLEAR
            + "calibrating lenet",
        text());
  }

  @Test
  void aPipeHasNoEscapeCodesAndFewerLinesWithTime() {
    PlainView view = new PlainView(out, () -> now);
    view.stage("starting ranks", 0, 201);
    for (int rank = 1; rank <= 201; rank++) {
      view.stage("starting ranks", rank, 201);
    }
    for (int step = 1; step <= 3600; step++) {
      view.progress(step(step));
      now += SECOND;
    }
    view.end();
    assertFalse(text().contains("\033"), text());
    List<String> lines = text().lines().toList();
    assertEquals("starting ranks: 0 of 201", lines.get(0));
    assertTrue(lines.get(lines.size() - 1).contains("step 3600"), lines.toString());
    // One a second for 10 s, then by tenths: ln(600 / 10) / ln(1.1) = 43, then one a minute: 50.
    assertTrue(lines.size() < 10 + 43 + 50 + 10, lines.size() + " lines");
    assertTrue(lines.size() > 50, lines.size() + " lines");
  }

  @Test
  void aPipeShowsOnlyStagesThatTakeASecond() {
    PlainView view = new PlainView(out, () -> now);
    view.stage("reading toy", 0, 0);
    view.stage("calibrating toy-conv", 0, 0);
    assertEquals("", text());
    now += SECOND;
    view.progress(step(1));
    List<String> lines = text().lines().toList();
    assertEquals("calibrating toy-conv", lines.get(0));
    assertEquals(2, lines.size(), text());
  }

  @Test
  void theSummaryHasFiveLinesAndEndsWithTheDirectory() {
    PlainView view = new PlainView(out, () -> now);
    now += TimeUnit.MILLISECONDS.toNanos(3250);
    view.progress(StatusLineTest.TRAINING);
    now += TimeUnit.SECONDS.toNanos(9);
    view.progress(StatusLineTest.TRAINING);
    view.end();
    bytes.reset();
    view.summary(RUN);
    assertEquals(
        List.of(
            "final accuracy 0.5475 (loss 1.700) at step 150, best 0.5475 (loss 1.700) at step 150",
            "12.50 s for 178 steps, 5120 examples/s; first step after 3.25 s",
            "2 of 3 workers, 1 lost",
            "next: amb summarize /runs/one",
            "/runs/one"),
        text().lines().toList());
  }

  @Test
  void aRunWithoutTestsHasNoAccuracy() {
    PlainView view = new PlainView(out, () -> now);
    view.progress(
        new Progress(
            10, null, null, null, null, 0, true, null, null, null, null, null, null, null));
    bytes.reset();
    view.summary(RUN);
    assertEquals("final accuracy –, best –", text().lines().toList().get(0));
    assertEquals(
        "0.000 s of virtual time for 10 steps, – examples/s; first step after 0.00 s",
        text().lines().toList().get(1));
  }

  @Test
  void programsGetAnObjectALine() throws IOException {
    JsonView view = new JsonView(out, () -> now);
    view.stage("reading digits", 0, 0);
    view.stage("starting ranks", 1, 3);
    for (int step = 1; step <= 3; step++) {
      view.progress(step(step));
    }
    view.end();
    view.summary(RUN);
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> lines = text().lines().map(line -> read(json, line)).toList();
    assertEquals("{\"event\":\"stage\",\"stage\":\"reading digits\"}", lines.get(0).toString());
    assertEquals(3, lines.get(1).get("of").asInt());
    assertEquals(1, lines.get(2).get("step").asInt());
    assertEquals(3, lines.get(3).get("step").asInt());
    assertFalse(lines.get(3).has("test"), text());
    assertEquals("summary", lines.get(4).get("event").asText());
    assertEquals("/runs/one", lines.get(4).get("run_directory").asText());
    assertEquals("amb summarize /runs/one", lines.get(4).get("next").asText());
    assertEquals(3, lines.get(4).get("step").asInt());
    assertEquals(5, lines.size());
  }

  @Test
  void programsGetTheCauseOfAFailure() {
    new JsonView(out, () -> now).failure(4, "rank 1 was killed");
    assertEquals(
        "{\"event\":\"failure\",\"exit_code\":4,\"cause\":\"rank 1 was killed\"}\n", text());
  }

  private static JsonNode read(ObjectMapper json, String line) {
    try {
      return json.readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  @Test
  void quietIsTheDirectoryAlone() {
    RunView view = new SilentView(out);
    view.stage("starting ranks", 1, 3);
    view.progress(step(1));
    view.end();
    view.summary(RUN);
    assertEquals("/runs/one\n", text());
  }

  @Test
  void progressSurvivesTheWayFromTheMaster() {
    assertEquals(StatusLineTest.TRAINING, Progress.fromJson(StatusLineTest.TRAINING.toJson()));
    assertEquals(null, Progress.fromJson("no progress"));
  }

  private static Progress step(long step) {
    return new Progress(
        step,
        200L,
        0.5,
        Math.min(1, step / 200.0),
        100.0,
        step,
        false,
        2.5,
        null,
        640.0,
        null,
        null,
        new Progress.Workers(2, 2, 0, 1, 0.5),
        null);
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private List<String> drawn() {
    return Arrays.stream(text().split("\r\033\\[2K")).filter(line -> !line.isEmpty()).toList();
  }
}
