package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of environment variables and system properties has those that the code reads. */
class EnvironmentPageTest {
  private static final Path ROOT = SourceTree.HERE.root();
  private static final SourceTree TREE = SourceTree.HERE;
  private static final String PAGE = TREE.text("docs/reference/environment.md");

  @Test
  void everyVariableIsThere() throws IOException {
    SortedSet<String> variables =
        inSources("(?:getenv\\(|getOrDefault\\(\\s*|= )\"([A-Z][A-Z_]+)\"");
    try (Stream<Path> scripts = Files.list(ROOT.resolve("scripts"))) {
      for (Path script : scripts.filter(Files::isRegularFile).toList()) {
        String text = SourceTree.text(script);
        add(text, "\\$\\{?((?:AMB_|JAVA_|MPJ_)[A-Z_]+)", variables);
        // With a default, but for what Slurm says of the job.
        add(text, "\\$\\{((?!SLURM_)(?:[A-Z]+_)+[A-Z]+):?-", variables);
      }
    }

    assertEquals(variables, onPage("`((?:[A-Z]+_)+[A-Z]+|COLUMNS|DISPLAY|TERM)`"));
  }

  @Test
  void everyPropertyIsThere() {
    SortedSet<String> properties = inSources("= \"(amb\\.[a-z.-]*[a-z])\"");
    Path timeouts = Path.of("src/main/java/io/github/amb/runtime/launch");
    SortedSet<String> times = new TreeSet<>();
    TREE.sources(timeouts)
        .filter(file -> file.endsWith("Timeouts.java"))
        .forEach(
            file -> add(SourceTree.text(file), "seconds\\(\"?([a-zA-Z-]+)\"?, [\\d.]+\\)", times));
    times.forEach(name -> properties.add("amb.timeouts." + name.toLowerCase(Locale.ROOT)));

    assertEquals(properties, onPage("`(amb\\.[a-z.-]+)`"));
  }

  private static SortedSet<String> inSources(String pattern) {
    SortedSet<String> found = new TreeSet<>();
    TREE.sources(Path.of("src/main/java"))
        .forEach(file -> add(SourceTree.text(file), pattern, found));
    return found;
  }

  private static SortedSet<String> onPage(String pattern) {
    SortedSet<String> found = new TreeSet<>();
    add(PAGE, pattern, found);
    return found;
  }

  private static void add(String text, String pattern, SortedSet<String> found) {
    Pattern.compile(pattern).matcher(text).results().forEach(hit -> found.add(hit.group(1)));
  }
}
