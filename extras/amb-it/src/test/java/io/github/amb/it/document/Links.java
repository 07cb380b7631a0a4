package io.github.amb.it.document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether links within the tree lead to a file, and to a heading of it. */
final class Links {
  private Links() {}

  static List<String> problems(MarkdownPage page, Path file) {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage.Found link : page.links()) {
      if (!link.text().matches("(https?|mailto):.*") && !leadsSomewhere(link.text(), page, file)) {
        problems.add(Prose.at(page, link.line()) + "no such file or heading: " + link.text());
      }
    }
    return problems;
  }

  private static boolean leadsSomewhere(String link, MarkdownPage page, Path file) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
    if (!parts[0].isEmpty() && !Files.exists(target)) {
      return false;
    }
    return parts.length == 1
        || (target.equals(file) ? page : MarkdownPage.read(target)).anchors().contains(parts[1]);
  }
}
