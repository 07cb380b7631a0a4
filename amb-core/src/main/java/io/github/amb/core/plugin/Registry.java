package io.github.amb.core.plugin;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Things that a user can name, such as schemes or update rules.
 *
 * @param <E> what stands behind a name
 */
public final class Registry<E extends Registry.Entry> {
  /** What a user can name. */
  public interface Entry {
    /** The texts that explain it. */
    Description description();

    /** What the user types. */
    default String name() {
      return description().name();
    }

    /** One line for help. */
    default String summary() {
      return description().summary();
    }

    /** What may follow its name, such as {@code [:RATIO=0.01][,sampled]}; empty for nothing. */
    default String arguments() {
      return "";
    }

    /** What can be set about it besides, a line each; for its page. */
    default List<String> usage() {
      return List.of();
    }
  }

  /**
   * An entry, and what a user wrote behind its name and a colon.
   *
   * @param kind what the entry is
   * @param entry the one that is named
   * @param given the arguments' text; empty for none
   */
  public record Choice<E extends Entry>(String kind, E entry, String given) {
    /**
     * Makes something from the arguments.
     *
     * @throws UsageException if the factory does, or leaves an argument
     */
    public <T> T make(Function<EntryArguments, T> factory) {
      EntryArguments arguments = new EntryArguments(kind + " " + entry.name(), given);
      T made = factory.apply(arguments);
      arguments.end(entry.name() + entry.arguments());
      return made;
    }
  }

  private final String kind;
  private final Class<E> type;
  private List<E> entries;

  /**
   * The entries of all plugins on the class path and on that of the calling thread's context, which
   * are loaded at the first use.
   *
   * @param kind what the entries are, in an error message, such as {@code update rule}
   * @param type the plugins' {@link Plugin#kind}
   */
  public Registry(String kind, Class<E> type) {
    this.kind = kind;
    this.type = type;
  }

  /** Entries that no plugin adds to, in the order for help. */
  public Registry(String kind, List<E> entries) {
    this(kind, (Class<E>) null);
    this.entries = List.copyOf(entries);
  }

  /**
   * All entries, in the order for help: ours, then those of plugins.
   *
   * @throws UsageException if a plugin cannot be loaded, or two entries have one name
   */
  public synchronized List<E> all() {
    if (entries == null) {
      entries = load();
    }
    return entries;
  }

  /** What the entries are, such as {@code update rule}. */
  public String kind() {
    return kind;
  }

  /** All names, in the order for help. */
  public List<String> names() {
    return all().stream().map(Entry::name).toList();
  }

  /**
   * The entry called {@code name}: by its name or an alias, in capitals or not, with dashes or
   * underscores.
   *
   * @throws UsageException if there is none, with a near name or all names
   */
  public E named(String name) {
    return find(name).orElseThrow(() -> new UsageException(unknown(name)));
  }

  /** The entry that {@link #named} gives; empty if there is none. */
  public Optional<E> find(String name) {
    return all().stream().filter(entry -> isNameOf(name, entry)).findFirst();
  }

  /**
   * The entry and the arguments of {@code NAME[:ARGUMENTS]}.
   *
   * @throws UsageException if there is no such entry
   */
  public Choice<E> choose(String text) {
    String head = head(text);
    String given = text.length() == head.length() ? "" : text.substring(head.length() + 1);
    return new Choice<>(kind, named(head), given);
  }

  /**
   * A text that begins with a name, with that name in place of an alias.
   *
   * @param text {@code NAME}, or {@code NAME:…}, or {@code NAME+…}
   * @return the text as it is if no entry has the name
   */
  public String canonical(String text) {
    String head = head(text);
    return find(head).map(entry -> entry.name() + text.substring(head.length())).orElse(text);
  }

  private static String head(String text) {
    return text.split("[:+]", 2)[0];
  }

  private static boolean isNameOf(String text, Entry entry) {
    return labels(entry).anyMatch(normal(text)::equals);
  }

  private static Stream<String> labels(Entry entry) {
    return Stream.concat(Stream.of(entry.name()), entry.description().aliases().stream())
        .map(Registry::normal);
  }

  private static String normal(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What to say of a name that is not among the entries. */
  public String unknown(String name) {
    List<String> labels = all().stream().flatMap(Registry::labels).toList();
    String near = Suggestion.forName(normal(name), labels);
    boolean none = !near.startsWith(",");
    String help = none ? "; expected one of " + String.join(", ", names()) : near;
    return "unknown " + kind + " '" + name + "'" + help;
  }

  private List<E> load() {
    List<E> found = new ArrayList<>();
    Map<String, String> owners = new LinkedHashMap<>();
    try {
      for (Plugin<?> plugin : ServiceLoader.load(Plugin.class)) {
        if (plugin.kind() == type) {
          plugin.entries().forEach(entry -> add(type.cast(entry), plugin, found, owners));
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new UsageException(
          "plugins: expected %ss built for this version, found: %s; build the plugin again or remove it"
              .formatted(kind, e.getMessage()));
    }
    return List.copyOf(found);
  }

  private void add(E entry, Plugin<?> plugin, List<E> found, Map<String, String> owners) {
    String owner = plugin.getClass().getName();
    labels(entry)
        .forEach(
            label -> {
              String other = owners.put(label, owner);
              if (other != null) {
                throw new UsageException(
                    "%s '%s': expected one of this name, found two, of %s and of %s; remove one plugin"
                        .formatted(kind, label, other, owner));
              }
            });
    found.add(entry);
  }
}
