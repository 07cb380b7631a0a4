package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** shellcheck, where the host has it, finds nothing of level warning or above in the scripts. */
@Tag("system")
class ShellcheckTest {
  private static final Path ROOT = SourceTree.HERE.root();

  @Test
  void scriptsHaveNoWarning() throws Exception {
    assumeTrue(installed(), "SKIPPED: shellcheck is not installed");
    List<String> command = new ArrayList<>(List.of("shellcheck", "--severity=warning"));
    for (Path folder : List.of(ROOT.resolve("scripts"), ROOT.resolve(".ci"))) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(ShellcheckTest::isScript).map(Path::toString).forEach(command::add);
      }
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }

  private static boolean installed() throws InterruptedException {
    try {
      return new ProcessBuilder("shellcheck", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isScript(Path file) {
    try {
      return Files.isRegularFile(file) && Files.readString(file).startsWith("#!/usr/bin/env bash");
    } catch (IOException e) {
      // Not text.
      return false;
    }
  }
}
