package io.github.amb.plots.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, which runs its script under its policy. */
@Tag("lab")
class WatchBrowserTest {
  private static final String BROWSER = "chromium";

  @TempDir Path folder;

  private static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, BROWSER)));
  }

  /** The page's elements after its script has run for four seconds. */
  private String shown(String url) throws IOException {
    List<String> command =
        List.of(
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--user-data-dir=" + folder.resolve("browser"),
            "--virtual-time-budget=4000",
            "--dump-dom",
            url);
    Process browser =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    return new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void theBrowserShowsTheRun() throws IOException {
    assumeTrue(isInstalled(), "skipped: expected chromium in PATH, found none; install it");
    Path path =
        new ExampleRun("fmb").id("<b>run</b>").with("workers", 2).steps(20).write(folder).path();
    RunDirectory run = new RunDirectory(path);
    Files.writeString(
        run.masterLog(),
        "{\"type\":\"membership\",\"time\":9,\"step\":9,\"generation\":2,\"workers\":[1],"
            + "\"cause\":\"<img src=x onerror=alert(1)>\",\"discarded\":0}\n",
        StandardOpenOption.APPEND);
    try (WatchServer server = WatchServer.page(run, "127.0.0.1", 0, "training")) {
      String page = shown(server.url());
      String body = page.substring(page.indexOf("<body>"), page.indexOf("<script>"));
      assertTrue(body.contains("<small>step</small><b>20</b>"), body);
      assertTrue(body.contains("&lt;b&gt;run&lt;/b&gt;"), body);
      assertTrue(body.contains("&lt;img src=x onerror=alert(1)&gt;"), body);
      assertFalse(body.contains("<img"), body);
      assertEquals(4, body.split("<canvas", -1).length - 1, "three curves and a time line");
    }
  }
}
