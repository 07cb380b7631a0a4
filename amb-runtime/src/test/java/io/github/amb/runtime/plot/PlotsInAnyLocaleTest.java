package io.github.amb.runtime.plot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.amb.plots.ExampleRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.util.DefaultLocale;

/** Tables, figures and pages are the same in a program that has a locale. */
class PlotsInAnyLocaleTest {
  @TempDir Path folder;

  @Test
  @DefaultLocale("fa-IR")
  void whatIsWrittenIsTheSameInAnyLocale() throws Exception {
    String one = new ExampleRun("fmb").write(folder.resolve("runs")).path().toString();
    String two = new ExampleRun("amb").write(folder.resolve("runs")).path().toString();
    Map<String, String> found = written(one, two);
    Locale.setDefault(Locale.ROOT);
    assertFalse(found.isEmpty());
    assertEquals(written(one, two), found);
  }

  /** What commands write, by the name of the file, and what they print. */
  private Map<String, String> written(String one, String two) throws Exception {
    Path out = Files.createTempDirectory(folder, "out");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, UTF_8);
    new SummarizeCommand(stream, 0).run(List.of(one, two));
    new SummarizeCommand(stream, 0).run(List.of(one, two, "--format", "json"));
    new PlotCommand()
        .printingTo(stream, stream)
        .run(Arrays.asList(one, two, "--ext", "svg", "csv", "pdf", "--out", out.toString()));
    new ReportCommand()
        .printingTo(stream, stream)
        .run(List.of(one, two, "--out", out + "/report.html"));
    Map<String, String> written = new TreeMap<>();
    written.put("printed", printed.toString(UTF_8).replace(out.toString(), "OUT"));
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        written.put(out.relativize(file).toString(), text(file));
      }
    }
    return written;
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, ISO_8859_1);
  }
}
