package io.github.amb.it.watch;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code amb train --dashboard} in a real browser, while the run trains. */
@Tag("lab")
class DashboardBrowserTest {
  private static final String BROWSER = "chromium";

  @TempDir Path folder;

  private static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, BROWSER)));
  }

  /** The page's elements after its script has run for four seconds. */
  private String shown(String url) throws IOException {
    List<String> options =
        List.of("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking");
    ProcessBuilder browser = new ProcessBuilder(BROWSER);
    browser.command().addAll(options);
    browser.command().addAll(List.of("--no-first-run", "--user-data-dir=" + folder.resolve("b")));
    browser.command().addAll(List.of("--virtual-time-budget=4000", "--dump-dom", url));
    Process process = browser.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void theBrowserShowsTheRunInProgress() throws Exception {
    assumeTrue(isInstalled(), "skipped: expected chromium in PATH, found none; install it");
    try (ServedRun amb = ServedRun.start(folder, "--dashboard 0")) {
      String url = amb.urls(1).get(0);
      amb.await(() -> Files.exists(amb.directory().masterLog()));
      amb.await(() -> amb.directory().lastStep() != null);
      String page = shown(url);
      String body = page.substring(page.indexOf("<body>"), page.indexOf("<script>"));
      assertTrue(body.contains(">training</span>"), body);
      assertTrue(body.matches("(?s).*<small>step</small><b>[1-9][\\d,]*</b>.*"), body);
      assertTrue(body.contains("<td>2</td>"), "a row of worker 2: " + body);
    }
  }
}
