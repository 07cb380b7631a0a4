package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.evaluate.EvaluateCommand;
import io.github.amb.runtime.runs.ExportCommand;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.part.ReplayOptions;
import io.github.amb.runtime.train.part.RunNetwork;
import io.github.amb.runtime.train.part.RunOptions;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run directory of another user cannot make this program do anything. */
class ForeignRunTest extends VirtualRuns {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Values that are wrong for most fields, of every kind that JSON has. */
  private static final List<String> VALUES =
      List.of(
          "\"x\"",
          "\"256 -XX:OnError=touch\"",
          "\"a\\nb\\u001b[2J\"",
          "\"\\u0000\"",
          "0",
          "1e999",
          "99999999999999999999",
          "null",
          "[1,\"x\"]",
          "{\"a\":null}");

  private static final List<String> COMMANDS = List.of("resume", "replay", "export", "evaluate");

  private RunDirectory run;
  private String original;

  @BeforeEach
  void train() throws IOException {
    run = train("run", "toy fmb rms 16 --last-step 2 --checkpoint-every 1" + SMALL);
    original = Files.readString(run.info());
  }

  private void configure(String name, String value) throws IOException {
    JsonNode all = JSON.readTree(original);
    ((ObjectNode) all.get("configuration")).put(name, value);
    ((ObjectNode) all).remove("ending");
    Files.writeString(run.info(), all.toPrettyString());
  }

  private String rejected(String... command) throws IOException {
    Map<String, String> before = OneWriterTest.files(directory);
    List<String> arguments = List.of(command);
    var error = assertThrows(UsageException.class, () -> new TrainCommand().run(arguments));
    assertEquals(before, OneWriterTest.files(directory));
    return error.getMessage();
  }

  /** The remote shell would run before any message. */
  @Test
  void aRunsCommandIsNotRun() throws IOException {
    Path shell = directory.resolve("shell");
    Files.writeString(shell, "touch " + directory.resolve("ran"));
    Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1\nx\n");
    JsonNode all = JSON.readTree(original);
    ((ObjectNode) all.get("configuration"))
        .put("engine", "mpj")
        .put("workers", 1)
        .put("hosts", hosts.toString())
        .put("remote-shell", "/bin/sh " + shell)
        .putNull("cost");
    ((ObjectNode) all).putNull("ending");
    Files.writeString(run.info(), all.toPrettyString());
    String message = rejected("--resume", run.path().toString());
    assertFalse(Files.exists(directory.resolve("ran")));
    assertTrue(message.contains("--hosts: expected it on the command line again"), message);
    assertTrue(message.contains("this run had --hosts '" + hosts + "'"), message);
    assertTrue(message.contains("this run had --remote-shell '/bin/sh " + shell), message);
  }

  @Test
  void aReplayTakesNoCommandEither() throws IOException {
    configure("remote-shell", "/bin/false");
    RunDirectory replay = train("replay", "--replay " + run.path());
    assertEquals("ssh", replay.read().configured("remote-shell", "").split(" ")[0]);
  }

  /** The heap of a worker is one word of a command line. */
  @Test
  void aHeapIsANumber() throws IOException {
    configure("worker-heap", "256 -XX:OnError=touch");
    String message = rejected("--resume", run.path().toString());
    assertTrue(message.matches("\\Q" + run.info() + "\\E line \\d+: --worker-heap: .*"), message);
    assertTrue(message.endsWith("expected 64 to 1000000, found '256 -XX:OnError=touch'"), message);
  }

  @Test
  void whatOnlyAPartFindsWrongIsNamedWithItsLine() throws IOException {
    configure("codec", "topj:0.1");
    String message = rejected("--resume", run.path().toString());
    assertTrue(message.matches("\\Q" + run.info() + "\\E line \\d+: .*topj.*"), message);
  }

  @Test
  void allProblemsAreReportedAtOnce() throws IOException {
    configure("codec", "x");
    original = Files.readString(run.info());
    configure("seed", "x");
    original = Files.readString(run.info());
    configure("workers", "x");
    assertEquals(2, rejected("--resume", run.path().toString()).lines().count());
  }

  /** Each option, and each other field, is tried with each value in one reader. */
  @Tag("system")
  @Test
  void anyValueIsARunOrOneLineOfMessage() throws Exception {
    JsonNode all = JSON.readTree(original);
    List<String> names = new ArrayList<>();
    all.fieldNames().forEachRemaining(names::add);
    all.get("configuration").fieldNames().forEachRemaining(name -> names.add("/" + name));
    all.get("environment").fieldNames().forEachRemaining(name -> names.add("//" + name));
    all.get("ending").fieldNames().forEachRemaining(name -> names.add("///" + name));
    Map<String, String> before = OneWriterTest.files(run.path());
    List<String> surprises = new ArrayList<>();
    for (String name : names) {
      for (String value : VALUES) {
        surprises.addAll(surprises(name, value));
      }
    }
    assertEquals("", String.join("\n", surprises));
    Files.writeString(run.info(), original);
    assertEquals(before, OneWriterTest.files(run.path()));
  }

  private List<String> surprises(String name, String value) throws IOException {
    ObjectNode all = (ObjectNode) JSON.readTree(original);
    int slashes = name.lastIndexOf('/') + 1;
    String[] parents = {"", "configuration", "environment", "ending"};
    ObjectNode parent = slashes == 0 ? all : (ObjectNode) all.get(parents[slashes]);
    // Jackson would round a number that is too large.
    parent.putRawValue(
        name.substring(slashes), new com.fasterxml.jackson.databind.util.RawValue(value));
    Files.writeString(run.info(), JSON.writeValueAsString(all));
    // All four readers are alike; each value of each field is tried with one of them.
    String command = COMMANDS.get((name.length() + VALUES.indexOf(value)) % COMMANDS.size());
    String problem = problem(command);
    return problem.isEmpty()
        ? List.of()
        : List.of("%s %s=%s: %s".formatted(command, name, value, problem));
  }

  /** The problem; empty if there is none. Fails if the problem is not readable by people. */
  private String problem(String command) {
    try {
      // Only settings: later steps do not depend on where settings come from.
      switch (command) {
        case "resume" ->
            RunParts.of(ResumeOptions.complete(settings("--resume", run, "--last-step", "9")));
        case "replay" -> RunParts.of(ReplayOptions.complete(settings("--replay", run)));
        case "export" -> RunNetwork.of(RunOptions.info("", run)).parameters();
        default -> RunOptions.info("", run);
      }
      return "";
    } catch (UsageException e) {
      String message = Printable.printable(e.getMessage()); // As people see it.
      boolean readable =
          !message.isBlank()
              && message
                  .lines()
                  .allMatch(line -> line.matches("\\P{Cntrl}*(expected|unknown|no ).*"));
      boolean exception =
          message.matches("(?s).*(Exception|\\.java:\\d|java\\.[a-z]+\\.|jackson|null point).*");
      return readable && !exception ? "" : message;
    } catch (Exception | Error e) {
      return e.toString();
    }
  }

  private static io.github.amb.runtime.config.Settings settings(
      String option, RunDirectory run, String... more) {
    List<String> arguments = new ArrayList<>(List.of(option, run.path().toString()));
    arguments.addAll(List.of(more));
    return io.github.amb.runtime.config.CommandLine.parse(arguments).settings();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run.json.tmp",
        "master.jsonl",
        "master.jsonl.tmp",
        "worker-1.jsonl",
        "worker-1.jsonl.tmp",
        "rank-0.log",
        "rank-1.log",
        "evaluator.log",
        "checkpoints"
      })
  void nothingIsWrittenThroughALink(String name) throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "mine");
    Path link = run.path().resolve(name);
    if (Files.exists(link)) {
      Files.move(link, directory.resolve("moved"));
    }
    Files.createSymbolicLink(link, precious);
    String message = rejected("--resume", run.path().toString(), "--last-step", "9");
    assertTrue(message.startsWith(link + ": expected"), message);
    assertEquals("mine", Files.readString(precious));
  }

  @Test
  void anEvaluationIsNotWrittenThroughALink() throws IOException {
    Path absent = directory.resolve("absent");
    Files.createSymbolicLink(run.evaluatorLog(), absent);
    List<String> evaluate = List.of(run.path().toString());
    assertThrows(UsageException.class, () -> new EvaluateCommand().run(evaluate));
    assertFalse(Files.exists(absent));
  }

  @Test
  void theDirectoryItselfMayBeALink() throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), run.path());
    assertEquals(3, resume("link", "--last-step 3").read().ending().steps());
  }

  @Test
  void anExportGoesThroughNoLink() throws Exception {
    Path absent = directory.resolve("absent");
    Path link = Files.createSymbolicLink(directory.resolve("x.npz"), absent);
    List<String> export = List.of(run.path().toString(), "--output", link.toString());
    assertThrows(UsageException.class, () -> new ExportCommand().run(export));
    assertFalse(Files.exists(absent));
  }
}
