package io.github.amb.bench.document;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names and folders of classes in all modules. What stands for a library's class is not ours. */
class SourceStyleTest {
  private static final SourceTree TREE = new SourceTree(Path.of(".."));
  private static final Path MAIN = Path.of("src/main/java/io/github/amb");
  private static final Path TEST = Path.of("src/test/java/io/github/amb");
  private static final int MOST = 20;

  /** It has one class as a whole: the backend that the profile {@code cuda} adds. */
  private static final String CUDA = "../amb-cuda/src/main/java/io/github/amb/cuda";

  private static Stream<Path> classes(Path... folders) {
    return Stream.of(folders)
        .flatMap(TREE::sources)
        .filter(file -> !file.endsWith("package-info.java"));
  }

  private static Map<String, List<Path>> groups(Stream<Path> files, Function<Path, Path> key) {
    return files.collect(groupingBy(file -> key.apply(file).toString(), TreeMap::new, toList()));
  }

  private static Map<String, Integer> packages() {
    return groups(classes(MAIN), Path::getParent).entrySet().stream()
        .collect(toMap(Map.Entry::getKey, entry -> entry.getValue().size()));
  }

  @Test
  void noTwoClassesHaveOneSimpleName() {
    Map<String, List<Path>> named = groups(classes(MAIN, TEST), Path::getFileName);
    assertTrue(named.size() > 1000, named.size() + " names");
    named.values().removeIf(files -> files.size() == 1);
    assertEquals(Map.of(), named);
  }

  @Test
  void noPackageHasMoreThanTwentyFiles() {
    Map<String, Integer> large = packages();
    large.values().removeIf(files -> files <= MOST);
    assertEquals(Map.of(), large);
  }

  @Test
  void noPackageHasOneFile() {
    Map<String, Integer> small = packages();
    assertEquals(1, small.remove(CUDA));
    small.values().removeIf(files -> files > 1);
    assertEquals(Map.of(), small);
  }

  /**
   * Some of the words that the glossary of docs/style.md replaces; texts have a list of their own.
   */
  @Test
  void sourcesHaveTheGlossarysWords() throws IOException {
    Pattern replaced = Pattern.compile("(?i)refus|roster|newcomer");
    List<String> found = new ArrayList<>();
    for (Path file : classes(MAIN, TEST).toList()) {
      if (!file.endsWith("SourceStyleTest.java")
          && replaced.matcher(Files.readString(file)).find()) {
        found.add(file.toString());
      }
    }
    assertEquals(List.of(), found);
  }

  /** Java's parsers accept {@code 10d} and {@code 0x1p3}. */
  @Test
  void numbersOfUsersAreReadInOnePlace() throws IOException {
    Pattern parsers = Pattern.compile("(Double|Float)(\\.|::)(parse|valueOf\\(\\w*[tT]ext)");
    List<String> found = new ArrayList<>();
    for (Path file : classes(MAIN).toList()) {
      boolean ours = file.endsWith("Decimal.java") || file.toString().matches(".*(bench|peer).*");
      if (!ours && parsers.matcher(Files.readString(file)).find()) {
        found.add(file.toString());
      }
    }
    assertEquals(List.of(), found);
  }
}
