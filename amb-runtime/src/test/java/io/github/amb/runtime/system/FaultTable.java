package io.github.amb.runtime.system;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.runtime.train.directory.RunProvenance;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The page with the outcome of each fault. Tests of several processes record rows in {@code
 * target/fault-matrix}. After each class of them the page is written where {@code
 * -Damb.matrix.page} says, if it does: {@code scripts/test --matrix} runs one class at a time.
 */
final class FaultTable {
  private static final Path RECORDS = Path.of("target", "fault-matrix");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_CHARACTERS = 160;

  private FaultTable() {}

  /** All rows, by the fault's number. */
  static List<FaultRow> rows() {
    return Stream.of(
            LostRanksMatrixTest.rows(),
            MessagesMatrixTest.rows(),
            BadStartMatrixTest.rows(),
            LinksMatrixTest.rows(),
            DisksMatrixTest.rows(),
            SlowMatrixTest.rows())
        .flatMap(List::stream)
        .sorted(
            Comparator.comparingInt(row -> row.number() == 0 ? Integer.MAX_VALUE : row.number()))
        .toList();
  }

  /** Records the outcome of a row. */
  static void record(FaultRow row, Trial trial, boolean asExpected) throws IOException {
    String said = trial.said(row.said()).orElse("").replaceFirst("^amb: ", "");
    said = said.replaceAll("pid \\d+", "pid").replaceFirst("(of this host, found) .*", "$1 …");
    String shown = said.substring(0, Math.min(said.length(), MAX_CHARACTERS));
    double seconds = trial.secondsToDetect(row.said());
    String detected =
        seconds < 0 ? "–" : seconds < 0.05 ? "< 0.1" : String.format(Locale.ROOT, "%.1f", seconds);
    boolean done = trial.code() == 0 || trial.code() == 130;
    write(
        row.name(),
        Map.of(
            "observed",
            trial.code() + ": " + shown,
            "verdict",
            asExpected ? "yes" : "NO",
            "detected",
            detected,
            "lost",
            done ? trial.lost() : ""));
  }

  /** Removes the record of an earlier run of a row. */
  static void forget(FaultRow row) throws IOException {
    Files.deleteIfExists(RECORDS.resolve(row.name() + ".json"));
  }

  /** Records facts under a name, with the version and the load of the machine. */
  static void write(String name, Map<String, String> facts) throws IOException {
    Map<String, String> all = new TreeMap<>(facts);
    all.put("version", version());
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    all.put("load", String.format(Locale.ROOT, "%.1f", load));
    Files.createDirectories(RECORDS);
    Files.writeString(RECORDS.resolve(name + ".json"), JSON.writeValueAsString(all));
  }

  private static String version() {
    Map<String, String> here = RunProvenance.describe();
    String commit = here.get("git_commit");
    return here.get("amb") + " " + commit.substring(0, Math.min(7, commit.length()));
  }

  /** All recorded values of a fact, each once. */
  private static SortedSet<String> all(String fact) throws IOException {
    SortedSet<String> values = new TreeSet<>();
    try (Stream<Path> files = Files.list(RECORDS)) {
      for (Path file : files.toList()) {
        Object value = JSON.readValue(file.toFile(), Map.class).get(fact);
        values.add(value == null ? "unknown" : value.toString());
      }
    }
    return values;
  }

  private static Map<?, ?> read(String name) throws IOException {
    Path file = RECORDS.resolve(name + ".json");
    return Files.exists(file) ? JSON.readValue(file.toFile(), Map.class) : Map.of();
  }

  /** Writes the page with all records, if a file for it is named. */
  static void writePage() throws IOException {
    String file = System.getProperty("amb.matrix.page");
    if (file == null) {
      return;
    }
    StringBuilder page = new StringBuilder(head());
    page.append(
        """
        | # | fault | injected how | expected: exit code, what is said | observed | as expected | seconds to detect | lost: seconds, examples | MPJ Express alone |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |
        """);
    for (FaultRow row : rows()) {
      page.append(line(row)).append('\n');
    }
    Object soak = read("soak").get("observed");
    page.append("\n## Soak\n\n").append(soak == null ? "Not tried here." : soak).append('\n');
    Files.writeString(Path.of(file), page);
  }

  private static String line(FaultRow row) throws IOException {
    Map<?, ?> seen = read(row.name());
    Map<?, ?> alone = row.alone().isEmpty() ? Map.of() : read("alone-" + row.alone());
    List<String> cells =
        List.of(
            row.number() == 0 ? "–" : Integer.toString(row.number()),
            row.name(),
            row.how(),
            row.expected(),
            cell(seen, "observed", "not tried here"),
            cell(seen, "verdict", "–"),
            cell(seen, "detected", "–"),
            cell(seen, "lost", "–"),
            cell(alone, "observed", row.alone().isEmpty() ? "–" : "not tried here"));
    return Stream.of(cells)
        .flatMap(List::stream)
        .map(cell -> cell.replace("|", "\\|"))
        .reduce("|", (line, cell) -> line + " " + cell + " |");
  }

  private static String cell(Map<?, ?> facts, String name, String otherwise) {
    Object value = facts.get(name);
    return value == null || value.equals("") ? otherwise : value.toString();
  }

  private static String head() throws IOException {
    return """
        # Fault matrix

        Faults that were injected into real runs, and their outcomes. `scripts/test --matrix` writes this
        page. Do not edit it.

        %s: %s cores of %s, Java %s. Versions: %s. Load averages as rows ended: %s.

        """
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                processor(),
                Runtime.version().feature(),
                String.join(", ", all("version")),
                loads())
        + explanation();
  }

  private static String loads() throws IOException {
    List<Double> loads =
        all("load").stream().filter(load -> !load.equals("unknown")).map(Double::valueOf).toList();
    return loads.isEmpty() ? "unknown" : Collections.min(loads) + " to " + Collections.max(loads);
  }

  private static String explanation() {
    return """
        Most runs train three workers on the toy data, with a delay of 0.05 s per step.

        | words | meaning |
        | --- | --- |
        | after step 10 | when ten steps are recorded |
        | seconds to detect | from the fault, or from the start of the command that finds it, to the first line about it, or to the end |
        | seconds lost | time that a change of the workers has cost: to notice it, to connect the ranks, to repeat the step |
        | MPJ Express alone | the same fault in a program with the same messages (`PlainMpj`), started by MPJ Express' own launcher |
        | hangs | does not end within 25 s, or within 60 s where the network is cut |
        | – | nothing to compare, to detect or to lose |
        | not tried here | this machine lacks something, or that part was not run |

        - Faults of the system (22, 23, 28) are injected between the processes and their C library
          (`preload.c`).
        - In 23 the master is killed at each call that makes its first two checkpoints durable. Every
          sixth of these runs is resumed. The others are exported if they have a checkpoint.
        - The links of 12, 14 and 15 are a relay between network namespaces (`relay.c`), which keeps TCP's
          checksum valid. It drops one message in a hundred (12). From step 10 on it flips a bit (`flip`), or
          overwrites bytes in the headers of worker 2's messages (14, 15).

        """;
  }

  private static String processor() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    }
  }
}
