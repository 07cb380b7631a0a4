package io.github.amb.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.Command;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BenchCommandTest {
  private static final Map<String, String> TINY =
      Map.ofEntries(
          Map.entry(
              "overhead", "--workers 1 --parameters 1000 --compute 0.005 --steps 3 --warm-up 1"),
          Map.entry(
              "partitions",
              "--network toy-fc --data-set toy --batch-size 8 --partitions 1,2 --repeats 2"),
          Map.entry("bandwidth", "--lengths 100,200 --workers 1 --steps 3"),
          Map.entry("compute", "--networks toy-fc --batch-sizes 1,4 --repeats 2 --slice 0.001"),
          Map.entry(
              "optimizers", "--rules sgd --parameters 1000 --turns 1 --iterations 1 --slice 0.02"),
          Map.entry(
              "memory", "--data-set toy --network toy-fc --batch-size 8 --workers 1 --steps 3"),
          Map.entry("sim", "--workers 1,5 --steps 5 --repeats 2"),
          Map.entry(
              "engines",
              "--workers 1 --steps 3 --fmb-batch-size 8 --amb-batch-size 64 --amb-time-limit 0.02"
                  + " --induce-scale 0.01"),
          Map.entry(
              "codec", "--codecs lss --sizes 1000,2000 --draws 100 --iterations 1 --slice 0.01"),
          Map.entry("load", "--data-set digits --repeats 1"),
          Map.entry(
              "peers",
              "--networks gpt:1,1,8,16,sigmoid-mlp --batch-sizes 1,8 --repeats 1 --slice 0.01"));

  /** Not run here: it needs the site's own compiler and launcher. */
  private static final String ELSEWHERE = "step";

  /** Benchmarks that start ranks several times. */
  private static final Set<String> LONG = Set.of("bandwidth", "engines", "memory");

  @TempDir Path directory;

  @BeforeAll
  static void letSeveralBuildsRunAtOnce() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  static Stream<String> shortBenchmarks() {
    return Benchmarks.ALL.names().stream()
        .filter(name -> !name.equals(ELSEWHERE) && !LONG.contains(name));
  }

  static Stream<String> longBenchmarks() {
    return LONG.stream();
  }

  @ParameterizedTest
  @MethodSource("shortBenchmarks")
  @Tag("system")
  @Timeout(120)
  void shortBenchmarksReportPositiveNumbers(String name) throws Exception {
    assertReportsPositiveNumbers(name);
  }

  @ParameterizedTest
  @MethodSource("longBenchmarks")
  @Tag("lab")
  @Timeout(120)
  void longBenchmarksReportPositiveNumbers(String name) throws Exception {
    assertReportsPositiveNumbers(name);
  }

  private void assertReportsPositiveNumbers(String name) throws Exception {
    assertNotNull(TINY.get(name), "a tiny configuration");
    Path file = directory.resolve(name + ".json");
    List<String> arguments =
        new ArrayList<>(List.of(name, "--wait-quiet", "0", "--json", file.toString()));
    arguments.addAll(List.of(TINY.get(name).split(" ")));
    String text = run(arguments);
    assertTrue(text.contains("\nmachine: ") && text.contains("\nnoise: "), text);
    JsonNode json = JsonMapper.builder().build().readTree(Files.readString(file));
    assertEquals(name, json.path("benchmark").asText());
    assertTrue(json.at("/machine/java").asText().contains(Runtime.version().toString()));
    assertTrue(json.findValues("rows").stream().mapToInt(JsonNode::size).sum() >= 1, text);
    json.at("/tables").forEach(table -> table.path("rows").forEach(BenchCommandTest::check));
  }

  private static void check(JsonNode row) {
    boolean part = row.elements().next().asText().strip().startsWith("-");
    for (Iterator<JsonNode> cells = row.elements(); cells.hasNext(); ) {
      JsonNode cell = cells.next();
      JsonNode number = cell.isObject() ? cell.path("median") : cell;
      boolean good = Double.isFinite(number.asDouble()) && (part || number.asDouble() > 0);
      assertTrue(good || number.isTextual(), row.toString());
    }
  }

  @Test
  @Tag("system")
  @Timeout(120)
  void measurementsAreAlsoFilesOfThePredecessors() throws Exception {
    Path out = directory.resolve("out");

    run(
        List.of(
            "bandwidth",
            "--engines",
            "sim",
            "--lengths",
            "100,200",
            "--workers",
            "1,2",
            "--steps",
            "3",
            "--wait-quiet",
            "0",
            "--out",
            out.toString()));

    assertEquals(
        4, Files.readAllLines(out.resolve("sim/bandwidth__200_2/worker_stats.csv")).size());
  }

  @Test
  @Tag("system")
  @Timeout(120)
  void actionsOfThePartitionsProgramAreOptions() throws Exception {
    String text =
        run(
            List.of(
                "partitions",
                "batch",
                "toy_fc",
                "--largest",
                "8",
                "--repeats",
                "1",
                "--wait-quiet",
                "0",
                "--out",
                directory.toString()));
    run(List.of("partitions", "plot", "--file_name", directory.toString(), "--ext", "csv"));

    assertTrue(text.contains("batches of 4") && text.contains("batches of 8"), text);
    List<String> points = Files.readAllLines(directory.resolve("partitions.csv"));
    // P = 1, 2, 4 for both batch sizes, in each of two panels.
    assertEquals(1 + 2 * 2 * 3, points.size());
  }

  @Test
  void aloneItListsTheBenchmarks() throws Exception {
    String list = run(List.of());
    Benchmarks.ALL
        .all()
        .forEach(
            b -> assertTrue(list.contains("  " + b.name() + " ") && list.contains(b.summary())));
    assertEquals(list, run(List.of("--help")));
  }

  @Test
  void anActionOfPartitionsHasItsHelp() throws Exception {
    String help = run(List.of("partitions", "--help"));
    assertEquals(help, run(List.of("partitions", "batch", "--help")));
    assertEquals(help, run(List.of("partitions", "eval", "mnist", "--help")));
  }

  @Test
  void helpNamesEveryOption() throws Exception {
    String help = run(List.of("overhead", "--help"));
    for (String option : List.of("workers", "parameters", "compute", "steps", "warm-up", "json")) {
      assertTrue(help.contains("--" + option + " "), help);
    }
  }

  @Test
  void anUnknownBenchmarkIsRejected() {
    var e = assertThrows(UsageException.class, () -> run(List.of("overhed")));
    assertEquals("unknown benchmark 'overhed', did you mean 'overhead'?", e.getMessage());
  }

  @Test
  void aFileThatCannotBeWrittenIsFoundBeforeMeasuring() {
    String file = directory.resolve("missing/x.json").toString();
    var e = assertThrows(UsageException.class, () -> run(List.of("memory", "--json", file)));
    assertTrue(e.getMessage().startsWith("--json: cannot write " + file), e.getMessage());
  }

  @Test
  void rejectedInputLeavesFilesAsTheyAre() throws Exception {
    String results = "{\"tables\": [{\"title\": \"t\", \"rows\": []}]}";
    Path json = Files.writeString(directory.resolve("x.json"), results);
    Path fresh = directory.resolve("fresh.json");
    for (List<String> options :
        List.of(
            List.of("partitions", "--partitions", "2", "--json", json.toString()),
            List.of("partitions", "--partitions", "2", "--json", fresh.toString()))) {
      assertThrows(UsageException.class, () -> run(options));
    }
    assertEquals(results, Files.readString(json));
    assertTrue(Files.notExists(fresh));
  }

  @Test
  void theFirstNumberOfPartitionsIsOne() {
    for (String partitions : List.of("2,4", "1,600")) {
      var e =
          assertThrows(
              UsageException.class, () -> run(List.of("partitions", "--partitions", partitions)));
      assertTrue(e.getMessage().startsWith("--partitions: expected "), e.getMessage());
    }
  }

  @Test
  void theProgramFindsTheCommand() {
    assertTrue(
        ServiceLoader.load(Command.class).stream().anyMatch(c -> c.type() == BenchCommand.class));
  }

  private static String run(List<String> arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    assertEquals(
        0,
        new BenchCommand(print, new PrintStream(OutputStream.nullOutputStream())).run(arguments));
    return out.toString(StandardCharsets.UTF_8);
  }
}
