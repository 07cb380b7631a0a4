package io.github.amb.bench.document;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether profiles, modules and tests that Maven is given exist.
 *
 * @param tree with the build files
 */
record MavenCommand(SourceTree tree) {
  /**
   * @param words what follows the program's name
   */
  List<String> problems(List<String> words) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith("-P")) {
        items(word.substring(2)).filter(p -> !isProfile(p)).forEach(p -> problems.add("no " + p));
      } else if (word.startsWith("-Dtest=")) {
        items(word.substring(7)).filter(t -> !isTest(t)).forEach(t -> problems.add("no " + t));
      } else if (word.equals("-pl") && i + 1 < words.size()) {
        items(words.get(i + 1)).filter(m -> !isModule(m)).forEach(m -> problems.add("no " + m));
      }
    }
    return problems;
  }

  private static Stream<String> items(String list) {
    return Stream.of(list.replaceAll("['\"]", "").split(","));
  }

  private boolean isProfile(String name) {
    return tree.text("pom.xml").contains("<id>" + name + "</id>");
  }

  private boolean isModule(String name) {
    return tree.has(name + "/pom.xml");
  }

  private boolean isTest(String name) {
    return name.contains("*")
        || tree.sources(Path.of("src/test/java")).anyMatch(f -> f.endsWith(name + ".java"));
  }
}
