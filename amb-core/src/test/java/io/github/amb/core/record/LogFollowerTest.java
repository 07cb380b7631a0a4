package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LogFollowerTest {
  @TempDir Path folder;
  private Path file;
  private LogFollower log;

  @BeforeEach
  void follow() {
    file = folder.resolve("master.jsonl");
    log = new LogFollower(file);
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String line(int step) {
    return "{\"type\":\"drop\",\"step\":" + step + "}\n";
  }

  private static LogRecord drop(int step) {
    return new DropRecord(0, step, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void aMissingLogHasNoRecords() throws IOException {
    assertEquals(List.of(), log.next());
  }

  @Test
  void eachRecordComesOnce() throws IOException {
    append(line(1) + line(2));
    assertEquals(List.of(drop(1), drop(2)), log.next());
    append(line(3));
    assertEquals(List.of(drop(3)), log.next());
    assertEquals(List.of(), log.next());
  }

  @Test
  void aLineIsReadWhenItHasItsEnd() throws IOException {
    append(line(1).substring(0, 9));
    assertEquals(List.of(), log.next());
    append(line(1).substring(9));
    assertEquals(List.of(drop(1)), log.next());
  }

  @Test
  void aShorterLogIsCut() throws IOException {
    append(line(1) + line(2));
    log.next();
    assertFalse(log.isCut());
    Files.writeString(file, line(1));
    assertTrue(log.isCut());
    Files.delete(file);
    assertTrue(log.isCut());
  }

  /** A resumed run has replaced the log, and written more than was read before. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aLogThatWasCutAndHasRegrownIsCut() throws IOException {
    append(line(1) + line(2) + line(3));
    log.next();
    Path kept = folder.resolve("kept");
    Files.writeString(kept, line(1) + line(20) + line(30) + line(40));
    Files.move(kept, file, StandardCopyOption.ATOMIC_MOVE);
    assertTrue(log.isCut());
  }

  @Test
  void aLineThatIsNoRecordIsNamed() throws IOException {
    append("nonsense\u001b\n");
    String problem = assertThrows(IOException.class, log::next).getMessage();
    assertTrue(
        problem.startsWith(file + " line 1: expected a log record, found nonsense"), problem);
    assertFalse(problem.contains("\u001b"));
  }

  @Test
  void aLineHasALimit() throws IOException {
    append(" ".repeat(4 * DataLimits.LOG_LINE_BYTES));
    assertThrows(UsageException.class, log::next);
  }
}
