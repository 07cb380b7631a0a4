package io.github.amb.runtime.catalog;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The reference page of a catalog.
 *
 * @param <E> what stands behind a name
 */
record CatalogPage<E extends Registry.Entry>(CatalogCommand<E> catalog) {
  /** The page, as {@code docs/reference} has it. */
  String text() {
    String title =
        catalog.name().substring(0, 1).toUpperCase(Locale.ROOT) + catalog.name().substring(1);
    StringBuilder page = new StringBuilder("# " + title + "\n\n");
    page.append(CatalogCommand.indented(catalog.about, 0)).append('\n');
    page.append(
        "`scripts/reference` writes this page from the texts of `amb %s`.\n"
            .formatted(catalog.name()));
    page.append("\n| name | what it does |\n| --- | --- |\n");
    for (E entry : catalog.registry.all()) {
      String row = "| [`%s`](#%1$s) | %s |%n".formatted(entry.name(), entry.summary());
      page.append(row);
    }
    catalog.registry.all().forEach(entry -> addSection(page, entry));
    return page.append(catalog instanceof CodecsCommand ? additions() : "").toString();
  }

  private static <E extends Registry.Entry> void addSection(StringBuilder page, E entry) {
    Description texts = entry.description();
    page.append("\n## ").append(entry.name()).append("\n\n");
    page.append(CatalogCommand.indented(sentence(texts.summary()), 0)).append('\n');
    if (!texts.formula().isEmpty()) {
      page.append("\n```text\n").append(texts.formula()).append("\n```\n");
    }
    List<String> items = new ArrayList<>();
    if (!texts.use().isEmpty()) {
      items.add("When: " + texts.use());
    }
    if (!entry.arguments().isEmpty()) {
      items.add("Write `" + entry.name() + entry.arguments() + "`.");
    }
    entry.usage().forEach(line -> items.add("`" + line.replaceFirst("  |$", "` ").strip()));
    if (!texts.aliases().isEmpty()) {
      items.add("Also called `" + String.join("`, `", texts.aliases()) + "`.");
    }
    if (!texts.source().isEmpty()) {
      items.add("Source: " + texts.source() + ".");
    }
    page.append(items.isEmpty() ? "" : "\n");
    items.forEach(item -> page.append("- ").append(CatalogCommand.indented(item, 2)).append('\n'));
  }

  private static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
  }

  private static String additions() {
    StringBuilder section = new StringBuilder("\n## Additions\n\n");
    section.append("They follow a codec and its arguments, as in `topk:0.01+ef+zstd`.\n\n");
    section.append("| addition | what it does |\n| --- | --- |\n");
    Codecs.ADDITIONS.forEach(
        one -> section.append("| `%s` | %s |\n".formatted(one.name(), one.summary())));
    return section.toString();
  }
}
