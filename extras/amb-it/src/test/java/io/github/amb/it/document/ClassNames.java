package io.github.amb.it.document;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Whether classes that a page names exist. */
final class ClassNames {
  private static final Pattern CLASS = Pattern.compile("[A-Z][a-z0-9]+([A-Z][a-z0-9]*)*");

  private final Set<String> known;

  /**
   * @param foreign classes of other programs that documents may name
   */
  ClassNames(SourceTree tree, Collection<String> foreign) {
    known = new HashSet<>(foreign);
    tree.sources(Path.of("src"))
        .map(file -> file.getFileName().toString())
        .forEach(name -> known.add(name.substring(0, name.length() - ".java".length())));
  }

  List<String> problems(MarkdownPage page) {
    return page.codes().stream()
        .filter(code -> CLASS.matcher(code.text()).matches())
        .filter(code -> !known.contains(code.text()))
        .map(code -> Prose.at(page, code.line()) + "no class " + code.text())
        .toList();
  }
}
