package io.github.amb.runtime.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logs longer than Java's memory are summarized and reported. */
@Tag("lab")
class LongLogTest {
  private static final int STEPS = 600_000;

  /** Less than the log of {@link #STEPS} steps alone, and more than half a million records. */
  private static final String HEAP = "-Xmx160m";

  /** {@code summarize} or {@code report} in a Java of its own. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      OptionsCommand command =
          arguments[0].equals("report") ? new ReportCommand() : new SummarizeCommand();
      System.exit(command.run(List.of(arguments).subList(1, arguments.length)));
    }
  }

  @TempDir Path folder;
  private RunDirectory run;

  @BeforeEach
  void write() throws IOException {
    run = new RunDirectory(folder.resolve("long"));
    Files.createDirectories(run.path());
    Files.writeString(
        run.info(),
        "{\"format\":2,\"id\":\"long\",\"configuration\":{\"scheme\":\"fmb\",\"workers\":1}}");
    String step =
        "{'type':'step','time':N.125,'step':N,'loss':2.0000000001,'learning_rate':0.001,"
            + "'num_samples':2,'total_samples':TWICE,'update_time':1.2345678E-4,"
            + "'send_time':2.3456789E-4,'bytes_sent':N000,'bytes_received':N000}"
            + " ".repeat(60);
    try (PrintWriter out = new PrintWriter(run.masterLog().toFile(), StandardCharsets.UTF_8)) {
      for (int i = 1; i <= STEPS; i++) {
        line(out, step, i);
      }
    }
    String worker =
        "{'type':'worker','time':N,'master_step':N,'rank':1,'num_samples':2,"
            + "'last_recv':0.25,'last_exit':0,'sleep_time':0,'compute_time':";
    try (PrintWriter out = new PrintWriter(run.workerLog(1).toFile(), StandardCharsets.UTF_8)) {
      for (int i = 1; i <= STEPS; i++) {
        line(out, worker + (i % 3 == 0 ? "1.5}" : "0}"), i);
      }
    }
  }

  /** Much faster than a format, of which there would be millions. */
  private static void line(PrintWriter out, String text, int number) {
    String twice = Integer.toString(2 * number);
    out.println(
        text.replace('\'', '"').replace("TWICE", twice).replace("N", Integer.toString(number)));
  }

  /** Idle for 1/4 s of 3/4 s on average: sums are those of all records. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aLogLongerThanTheMemoryIsSummarizedAndReported() throws Exception {
    Path csv = folder.resolve("summary.csv");
    assertEquals(0, program("summarize", run.path().toString(), "--format", "csv"), "summarize");
    assertEquals(
        0,
        program("report", run.path().toString(), "--out", folder.resolve("page").toString()),
        "report");
    String[] names = Files.readAllLines(csv).get(0).split(",");
    String[] row = Files.readAllLines(csv).get(1).split(",");
    List<String> columns = List.of(names);
    assertEquals(Integer.toString(STEPS), row[columns.indexOf("steps")]);
    assertEquals(Integer.toString(2 * STEPS), row[columns.indexOf("examples")]);
    assertEquals(1.0 / 3, Double.parseDouble(row[columns.indexOf("idle_share")]), 1e-9);
  }

  private int program(String... arguments) throws Exception {
    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            HEAP,
            "-Djava.awt.headless=true",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName());
    java.command().addAll(List.of(arguments));
    java.redirectError(ProcessBuilder.Redirect.INHERIT);
    Path out = folder.resolve(arguments[0].equals("summarize") ? "summary.csv" : "output");
    return java.redirectOutput(out.toFile()).start().waitFor();
  }
}
