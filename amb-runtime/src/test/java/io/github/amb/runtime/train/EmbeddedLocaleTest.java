package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.util.DefaultLocale;

/** A program without a main of AMB runs in any locale. */
@DefaultLocale("fa-IR")
class EmbeddedLocaleTest extends VirtualRuns {
  private static final String JOB =
      "toy fmb adm 16 --checkpoint-every 2 --inject kill:rank=2,step=3 --last-step ";

  @Test
  void aResumedRunHasAsciiNames() throws IOException {
    assertEquals("۵", "%d".formatted(5));
    train("run", JOB + 4 + EQUAL);
    RunDirectory run = resume("run", "--last-step 6");
    assertEquals(
        List.of(2L, 4L, 6L), new CheckpointDirectory(run.checkpoints(), Origin.ANY).steps());
    try (Stream<Path> files = Files.walk(run.path())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertTrue(StandardCharsets.US_ASCII.newEncoder().canEncode(file.toString()), "" + file);
        if (file.toString().matches(".*\\.(jsonl?|log|sha256)")) {
          String text = Files.readString(file);
          assertTrue(text.chars().noneMatch(c -> c > 127 && Character.isDigit(c)), text);
        }
      }
    }
  }
}
