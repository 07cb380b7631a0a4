package io.github.amb.it.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The alerts for Prometheus are raised and cleared as their own test says. */
@Tag("lab")
@Timeout(60)
class AlertRulesTest {
  @Test
  void prometheusRaisesAndClearsThem() throws Exception {
    boolean found =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    assumeTrue(found, "promtool is missing (package prometheus)");
    Process tool =
        new ProcessBuilder("promtool", "test", "rules", "alerts-test.yaml")
            .directory(new File("../../deploy/prometheus"))
            .redirectErrorStream(true)
            .start();
    String said = new String(tool.getInputStream().readAllBytes());
    assertTrue(tool.waitFor(30, TimeUnit.SECONDS), said);
    assertEquals(0, tool.exitValue(), said);
  }
}
