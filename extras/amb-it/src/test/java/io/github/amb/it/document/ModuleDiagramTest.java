package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The picture of the modules has the arrows that the build files have. */
class ModuleDiagramTest {
  private static final Path ROOT = SourceTree.HERE.root();
  private static final Pattern NODE = Pattern.compile("(\\w+)\\[\"(amb-\\w+):[^\"]*\"\\]");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "(?s)<dependency>(?:(?!</dependency>).)*?<artifactId>(amb-\\w+)</artifactId>"
              + "((?:(?!</dependency>).)*)</dependency>");

  @Test
  void arrowsAreTheDependencies() throws IOException {
    List<String> lines =
        MarkdownPage.read(ROOT.resolve("docs/explanation/architecture.md")).blocks().get(0).lines();
    Map<String, String> modules =
        NODE.matcher(String.join("\n", lines))
            .results()
            .collect(Collectors.toMap(node -> node.group(1), node -> node.group(2)));
    Set<String> expected = new TreeSet<>();
    for (String module : modules.values()) {
      Path folder = ROOT.resolve(module);
      Path pom = Files.isDirectory(folder) ? folder : ROOT.resolve("extras").resolve(module);
      DEPENDENCY
          .matcher(Files.readString(pom.resolve("pom.xml")))
          .results()
          .filter(dependency -> !dependency.group(2).contains("test"))
          .forEach(dependency -> expected.add(module + " -> " + dependency.group(1)));
    }

    assertEquals(expected, arrows(lines, modules));
  }

  private static Set<String> arrows(List<String> lines, Map<String, String> modules) {
    Set<String> arrows = new TreeSet<>();
    for (String line : lines) {
      String[] ends = NODE.matcher(line).replaceAll((MatchResult n) -> n.group(1)).split("-->");
      if (ends.length == 2) {
        for (String end : ends[1].split("&")) {
          arrows.add(modules.get(ends[0].strip()) + " -> " + modules.get(end.strip()));
        }
      }
    }
    return arrows;
  }
}
