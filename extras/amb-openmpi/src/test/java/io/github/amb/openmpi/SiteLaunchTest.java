package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.Amb;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code amb train --engine openmpi} with a stand-in for the site's launcher. */
@Tag("lab")
class SiteLaunchTest {
  private static final long LIMIT_SECONDS = 120;

  @TempDir Path directory;

  /** Starts it with a launcher that does what {@code script} says. */
  private Process start(String script) throws IOException {
    executable(Files.createDirectory(directory.resolve("bin")).resolve("amb-rank"), "exit 1");
    Path launcher = executable(directory.resolve("launcher"), script);
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Damb.home=" + directory,
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            Amb.class.getName(),
            "train",
            "toy",
            "fmb",
            "rms",
            "16",
            "--engine",
            "openmpi");
    builder.environment().put("AMB_MPIRUN", launcher.toString());
    File errors = errors().toFile();
    return builder.directory(directory.toFile()).inheritIO().redirectError(errors).start();
  }

  private Path errors() {
    return directory.resolve("errors");
  }

  private String lastError() throws IOException {
    List<String> lines = Files.readAllLines(errors());
    return lines.get(lines.size() - 1);
  }

  private static Path executable(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + script + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static int code(Process amb) throws InterruptedException {
    try {
      assertTrue(amb.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "still running");
      return amb.exitValue();
    } finally {
      amb.destroyForcibly();
    }
  }

  @Test
  void itEndsWithTheLaunchersCode() throws Exception {
    assertEquals(5, code(start("exit 5")));
    String expected =
        "amb: %s exited with code 5, and no rank reported a cause; AMB_MPIRUN sets the launcher and its options"
            .formatted(directory.resolve("launcher"));
    assertTrue(lastError().startsWith(expected), lastError());
  }

  @Test
  void aKilledRankIsReported() throws Exception {
    assertEquals(137, code(start("exit 137")));
    String expected =
        "a rank was killed by signal 9; resume from the newest checkpoint with: amb train --resume its run directory";
    assertTrue(lastError().endsWith(expected), lastError());
  }

  @Test
  void whatARankSaysComesAfterTheLaunchersRemarks() throws Exception {
    String script =
        """
        printf '1\\nrank 2: broken\\n' > $AMB_EXIT_FILE
        echo 'MPI_ABORT was invoked' >&2
        exit 1""";
    assertEquals(1, code(start(script)));
    assertEquals("amb: rank 2: broken", lastError());
  }

  @Test
  void itWaitsForTheLauncherToEndWhenItIsStopped() throws Exception {
    Process amb =
        start(
            "trap 'sleep 1; touch ended; exit 9' TERM; touch started; while :; do sleep 0.1; done");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (Files.notExists(directory.resolve("started")) && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    amb.destroy();
    assertEquals(ExitCode.STOPPED, code(amb));
    assertTrue(Files.exists(directory.resolve("ended")));
    try (Stream<Path> files = Files.list(directory)) {
      assertTrue(files.noneMatch(file -> file.getFileName().toString().startsWith("amb-exit-")));
    }
  }
}
