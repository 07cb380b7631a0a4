package io.github.amb.runtime.catalog;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.util.List;

/**
 * A command that explains the entries of a registry: all of them on one screen, or those that are
 * named on a page each.
 *
 * @param <E> what stands behind a name
 */
public class CatalogCommand<E extends Registry.Entry> extends OptionsCommand {
  private static final int COLUMNS = 100;

  /** The usual width of a terminal. */
  private static final int LIST_COLUMNS = 80;

  /** One sentence: what the entries decide. */
  final String about;

  final Registry<E> registry;

  /**
   * @param name what the user types after {@code amb}, the plural of what the entries are
   * @param about one sentence: what the entries decide
   */
  protected CatalogCommand(String name, String about, Registry<E> registry) {
    this(name, "[NAME...]", "explain the " + name + ", or those named", about, registry);
  }

  /**
   * @param name what the user types after {@code amb}, the plural of what the entries are
   * @param synopsis what follows it in help
   * @param summary one line for {@code amb --help}
   * @param about one sentence: what the entries decide
   */
  protected CatalogCommand(
      String name, String synopsis, String summary, String about, Registry<E> registry) {
    super(name, synopsis, summary);
    this.about = about;
    this.registry = registry;
  }

  @Override
  public List<String> words() {
    return registry.names();
  }

  @Override
  protected int run(Arguments given) throws IOException {
    explain(given.positional());
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

  private String list() {
    StringBuilder text = new StringBuilder(about + "\n\n");
    int width = registry.names().stream().mapToInt(String::length).max().orElse(0);
    for (E entry : registry.all()) {
      text.append(Decimal.format("  %-" + width + "s  ", entry.name()));
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
      page.append(Decimal.format("  %-9s %s%n", what, indented(text, 12)));
    }
  }

  static String indented(String text, int columns) {
    return wrapped(text, COLUMNS, columns);
  }
}
