package io.github.amb.runtime.train.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run ends once, and its lock is free, whatever fails before and during a stop. */
@Tag("system")
@Timeout(120)
class RunEndingTest {
  @TempDir Path directory;

  @Test
  void aSignalAfterAnErrorChangesNothing() throws Exception {
    RunInfo.Ending ending = endingAfterSignal("told", ExitCode.FAILED);
    assertEquals(ExitCode.FAILED, ending.exitCode());
    assertTrue(ending.cause().contains("OutOfMemoryError"), ending.cause());
    assertFreed();
  }

  @Test
  void anErrorOfAnotherThreadEndsTheRunAtOnce() throws Exception {
    RunInfo.Ending ending = endingAfterSignal("uncaught", ExitCode.FAILED);
    assertEquals(ExitCode.FAILED, ending.exitCode());
    assertTrue(ending.cause().contains("StackOverflowError"), ending.cause());
  }

  @Test
  void anErrorDuringTheStopKeepsNoLock() throws Exception {
    assertNull(endingAfterSignal("untold", ExitCode.STOPPED));
    assertFreed();
  }

  /** Freed by its holder, so that other hosts need not wait for its silence. */
  private void assertFreed() throws IOException {
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(directory, ".lock-*")) {
      String lock = Files.readString(locks.iterator().next());
      assertTrue(lock.startsWith("amb-lock free"), lock);
    }
  }

  private RunInfo.Ending endingAfterSignal(String before, int exitCode) throws Exception {
    RunDirectory run = new RunDirectory(directory);
    run.write(
        new RunInfo(RunInfo.FORMAT, "r", "", List.of(), Map.of(), 1, Map.of(), Map.of(), null));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EndingMain.class.getName(),
                directory.toString(),
                before)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output = process.inputReader()) {
      if ("ready".equals(output.readLine())) {
        process.destroy();
      }
      assertTrue(process.waitFor(1, TimeUnit.MINUTES));
      assertEquals(exitCode, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
    return run.read().ending();
  }
}
