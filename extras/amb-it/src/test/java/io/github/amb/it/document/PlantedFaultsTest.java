package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each fault of scripts/planted-faults.txt can be planted: its line is in its file, once. */
class PlantedFaultsTest {
  private static final Path ROOT = Path.of("../..");

  @Test
  void theLineOfEachFaultIsThereOnce() throws IOException {
    List<String> wrong = new ArrayList<>();
    int faults = 0;
    Path file = null;
    for (String line : Files.readAllLines(ROOT.resolve("scripts/planted-faults.txt"))) {
      if (line.endsWith(".java")) {
        file = ROOT.resolve(line);
      } else if (line.startsWith("- ")) {
        faults++;
        String old = line.substring(2);
        List<String> source = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (source.stream().filter(each -> each.stripLeading().equals(old)).count() != 1) {
          wrong.add(file + ": " + old);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(faults >= 20, "found " + faults);
  }
}
