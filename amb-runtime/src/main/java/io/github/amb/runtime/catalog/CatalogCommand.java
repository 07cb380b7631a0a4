package io.github.amb.runtime.catalog;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.Options;

/**
 * A command that explains the entries of a registry: all of them on one screen, those that are
 * named on a page each, or all as the reference page.
 *
 * @param <E> what stands behind a name
 */
public class CatalogCommand<E extends Registry.Entry> extends OptionsCommand {
  private static final int COLUMNS = 100;

  /** The usual width of a terminal. */
  private static final int LIST_COLUMNS = 80;

  private static final String MARKDOWN = "markdown";

  private final String about;
  private final Registry<E> registry;

  /**
   * @param out receives the texts
   * @param name what the user types after {@code amb}, the plural of what the entries are
   * @param about one sentence: what the entries decide
   */
  protected CatalogCommand(PrintStream out, String name, String about, Registry<E> registry) {
    this(out, name, "[NAME...]", "explain the " + name + ", or those named", about, registry);
  }

  /**
   * @param out receives the texts
   * @param name what the user types after {@code amb}, the plural of what the entries are
   * @param synopsis what follows it in help
   * @param summary one line for {@code amb --help}
   * @param about one sentence: what the entries decide
   */
  protected CatalogCommand(
      PrintStream out,
      String name,
      String synopsis,
      String summary,
      String about,
      Registry<E> registry) {
    super(out, name, synopsis, summary);
    this.about = about;
    this.registry = registry;
  }

  @Override
  public List<String> words() {
    return registry.names();
  }

  @Override
  public Options options() {
    return new Options().addOption(Arguments.flag(MARKDOWN, "print the reference page"));
  }

  @Override
  protected int run(Arguments given) throws IOException {
    List<String> names = given.positional();
    if (given.has(MARKDOWN)) {
      if (!names.isEmpty()) {
        throw new UsageException("--markdown: expected no names, found " + names);
      }
      out.print(markdown());
    } else {
      explain(names);
    }
    return 0;
  }

  /** Prints a page for each name; without a name, the list of all entries. */
  protected final void explain(List<String> names) {
    if (names.isEmpty()) {
      out.print(list());
    }
    // All are read before the first is printed, so that a mistake stands alone.
    names.stream().map(this::page).toList().forEach(out::print);
  }

  /**
   * What there is to say of an entry besides its texts, in lines; empty for nothing.
   *
   * @param text as the user wrote it, arguments included
   * @throws UsageException if the arguments are wrong
   */
  protected String details(E entry, String text) {
    return "";
  }

  /** What stands below all entries; empty for nothing. */
  protected String footer() {
    return "";
  }

  /** Sections of the reference page below those of the entries; empty for none. */
  protected String more() {
    return "";
  }

  private String list() {
    StringBuilder text = new StringBuilder(about + "\n\n");
    int width = registry.names().stream().mapToInt(String::length).max().orElse(0);
    for (E entry : registry.all()) {
      text.append(String.format(Locale.ROOT, "  %-" + width + "s  ", entry.name()));
      text.append(wrapped(entry.summary(), LIST_COLUMNS, width + 4)).append('\n');
    }
    String footer = footer();
    text.append(footer.isEmpty() ? "" : "\n" + wrapped(footer, LIST_COLUMNS, 0) + "\n");
    String more = "amb %s NAME says when to use one, what can be set, and its source.";
    return text.append('\n').append(more.formatted(name())).append('\n').toString();
  }

  private String page(String text) {
    String head = text.split("[:+]", 2)[0];
    E entry = registry.named(head);
    Description texts = entry.description();
    StringBuilder page =
        new StringBuilder(registry.canonical(text) + ": " + texts.summary() + "\n");
    line(page, "use", texts.use());
    line(page, "computes", texts.formula());
    line(page, "write", entry.arguments().isEmpty() ? "" : entry.name() + entry.arguments());
    entry.usage().forEach(option -> line(page, "set", option));
    line(page, "also", String.join(", ", texts.aliases()));
    line(page, "source", texts.source());
    return page.append(details(entry, text)).append('\n').toString();
  }

  private static void line(StringBuilder page, String what, String text) {
    if (!text.isEmpty()) {
      page.append(String.format(Locale.ROOT, "  %-9s %s%n", what, indented(text, 12)));
    }
  }

  private static String indented(String text, int columns) {
    return wrapped(text, COLUMNS, columns);
  }

  /** The reference page of all entries, as {@code docs/reference} has it. */
  public String markdown() {
    String title = name().substring(0, 1).toUpperCase(Locale.ROOT) + name().substring(1);
    StringBuilder page = new StringBuilder("# " + title + "\n\n");
    page.append(indented(about, 0)).append('\n');
    page.append(
        "`scripts/reference` writes this page from the texts of `amb %s`.\n".formatted(name()));
    page.append("\n| name | what it does |\n| --- | --- |\n");
    for (E entry : registry.all()) {
      String row = "| [`%s`](#%1$s) | %s |%n".formatted(entry.name(), entry.summary());
      page.append(row);
    }
    registry.all().forEach(entry -> addSection(page, entry));
    return page.append(more()).toString();
  }

  private void addSection(StringBuilder page, E entry) {
    Description texts = entry.description();
    page.append("\n## ").append(entry.name()).append("\n\n");
    page.append(indented(sentence(texts.summary()), 0)).append('\n');
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
    items.forEach(item -> page.append("- ").append(indented(item, 2)).append('\n'));
  }

  private static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
  }
}
