package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each line of the threat model names tests that there are. */
class ThreatModelTest {
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

  @Test
  void eachLineHasATest() {
    List<String> wrong = new ArrayList<>();
    List<String> lines =
        SourceTree.HERE
            .text("docs/explanation/threat-model.md")
            .lines()
            .filter(line -> line.matches("\\| can(not)? \\|.*"))
            .toList();
    assertTrue(lines.size() >= 20, lines.size() + " lines");
    for (String line : lines) {
      Matcher test = TEST.matcher(line.substring(line.lastIndexOf("| ", line.length() - 3)));
      boolean found = test.find();
      for (boolean more = found; more; more = test.find()) {
        found &= exists(test.group(1), test.group(2));
      }
      if (!found) {
        wrong.add(line);
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static boolean exists(String type, String method) {
    return SourceTree.HERE
        .sources(Path.of("src/test/java"))
        .filter(file -> file.endsWith(type + ".java"))
        .anyMatch(file -> SourceTree.text(file).contains("void " + method + "("));
  }
}
