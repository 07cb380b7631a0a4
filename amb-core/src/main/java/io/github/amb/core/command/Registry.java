package io.github.amb.core.command;

import java.util.List;

/**
 * Things that a user can name, such as schemes or update rules.
 *
 * @param <E> what stands behind a name
 */
public final class Registry<E extends Registry.Entry> {
  /** What a user can name. */
  public interface Entry {
    /** What the user types. */
    String name();

    /** One line for help. */
    String summary();
  }

  private final String kind;
  private final List<E> entries;

  /**
   * @param kind what the entries are, in an error message, such as {@code update rule}
   * @param entries in the order for help
   */
  public Registry(String kind, List<E> entries) {
    this.kind = kind;
    this.entries = List.copyOf(entries);
  }

  /** All entries, in the order for help. */
  public List<E> all() {
    return entries;
  }

  /** All names, in the order for help. */
  public List<String> names() {
    return entries.stream().map(Entry::name).toList();
  }

  /**
   * The entry called {@code name}.
   *
   * @throws UsageException if there is none, with a near name or all names
   */
  public E named(String name) {
    return entries.stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UsageException(unknown(name)));
  }

  /** What to say of a name that is not among the entries. */
  public String unknown(String name) {
    return "unknown " + kind + " '" + name + "'" + Suggestion.forName(name, names());
  }
}
