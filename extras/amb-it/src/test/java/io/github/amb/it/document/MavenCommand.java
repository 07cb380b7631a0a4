package io.github.amb.it.document;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether profiles, modules and tests that Maven is given exist, and whether the tests run.
 *
 * @param tree with the build files
 */
record MavenCommand(SourceTree tree) {
  /** The tier of a class of tests. */
  private static final Pattern TIER = Pattern.compile("(?m)^@Tag\\(\"(\\w+)\"\\)");

  /**
   * @param program which may choose profiles itself
   * @param words what follows the program's name
   */
  List<String> problems(String program, List<String> words) {
    List<String> problems = new ArrayList<>();
    List<String> profiles = new ArrayList<>();
    if (program.equals("scripts/test") && !words.contains("--unit")) {
      profiles.add("system");
    }
    List<String> tests = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith("-P")) {
        items(word.substring(2)).forEach(profiles::add);
      } else if (word.startsWith("-Dtest=")) {
        items(word.substring(7)).forEach(tests::add);
      } else if (word.equals("--lab") || word.equals("--claims")) {
        profiles.add(word.substring(2));
      } else if (word.equals("-pl") && i + 1 < words.size()) {
        items(words.get(i + 1)).filter(m -> !isModule(m)).forEach(m -> problems.add("no " + m));
      }
    }
    profiles.stream().filter(p -> !isProfile(p)).forEach(p -> problems.add("no " + p));
    tests.forEach(test -> problems.addAll(ofTest(test, profiles)));
    return problems;
  }

  private List<String> ofTest(String test, List<String> profiles) {
    List<Path> found =
        tree.sources(Path.of("src/test/java")).filter(f -> f.endsWith(test + ".java")).toList();
    if (found.isEmpty() && !test.contains("*")) {
      return List.of("no " + test);
    }
    return found.stream()
        .flatMap(file -> TIER.matcher(SourceTree.text(file)).results())
        .map(tag -> tag.group(1))
        .filter(tier -> !profiles.contains(tier))
        .map(tier -> test + " does not run without -P" + tier)
        .toList();
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
}
