package io.github.amb.runtime.command;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramTest {
  @Test
  void textOfAnyLanguagePasses() {
    assertDoesNotThrow(
        () -> Program.check(List.of("train", "été", "۵", "😀"), "/ß", Map.of("MPJ_HOME", "/ü")));
  }

  @Test
  void everyUndecodableTextIsRejectedAtOnce() {
    Map<String, String> environment = Map.of("AMB_CACHE_DIR", "/c\uFFFD", "OTHER", "\uFFFD");
    UsageException rejected =
        assertThrows(
            UsageException.class,
            () -> Program.check(List.of("train", "x\uFFFD"), "/w\uFFFD", environment));
    List<String> found = rejected.getMessage().lines().map(line -> line.split(": ")[0]).toList();
    assertEquals(
        List.of("argument 'x\uFFFD'", "working directory '/w\uFFFD'", "AMB_CACHE_DIR '/c\uFFFD'"),
        found);
  }
}
