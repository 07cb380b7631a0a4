package io.github.amb.core.plugin;

import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Entries that a user can name, such as schemes or update rules.
 *
 * @param <E> type of the entries
 */
public final class Registry<E extends Registry.Entry> {
  /** An entry that a user can name. */
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

    /**
     * The arguments that may follow its name, such as {@code [:RATIO=0.01][,sampled]}; empty for
     * none.
     */
    default String arguments() {
      return "";
    }

    /** The options that it has. */
    default List<Setting<?>> options() {
      return List.of();
    }

    /** Further options of the entry, one line each, for its page. */
    default List<String> usage() {
      return options().stream()
          .map(o -> "--%s  %s (%s)".formatted(o.name(), o.help(), o.rangeAndDefault()))
          .toList();
    }
  }

  /**
   * An entry, and the arguments that a user typed after its name and a colon.
   *
   * @param kind kind of the entry, for messages
   * @param entry the named entry
   * @param given text of the arguments; empty for none
   */
  public record Choice<E extends Entry>(String kind, E entry, String given) {
    /** The entry's name with the arguments, from which the same choice is made again. */
    public String text() {
      return given.isEmpty() ? entry.name() : entry.name() + ":" + given;
    }

    /**
     * Creates an object from the arguments.
     *
     * @throws UsageException if an argument is wrong or unknown
     */
    public <T> T make(Function<EntryArguments, T> factory) {
      EntryArguments arguments = new EntryArguments(kind + " " + entry.name(), given);
      T made = factory.apply(arguments);
      arguments.end(entry.name() + entry.arguments());
      return made;
    }
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private final String kind;
  private final Class<E> type;
  private List<E> entries;

  /**
   * The entries of all plugins on the class path and on that of the calling thread's context class
   * loader. They are loaded on first use.
   *
   * @param kind kind of the entries, for messages, such as {@code update rule}
   * @param type the plugins' {@link Plugin#kind}
   */
  public Registry(String kind, Class<E> type) {
    this.kind = kind;
    this.type = type;
  }

  /** A fixed list of entries, in the order for help. */
  public Registry(String kind, List<E> entries) {
    this(kind, (Class<E>) null);
    this.entries = List.copyOf(entries);
  }

  /**
   * All entries, in the order for help: first this program's, then those of plugins.
   *
   * @throws UsageException if a plugin cannot be loaded or list its entries, or if a name is
   *     malformed or that of two entries
   */
  public synchronized List<E> all() {
    if (entries == null) {
      entries = load();
    }
    return entries;
  }

  /** All names, in the order for help. */
  public List<String> names() {
    return all().stream().map(Entry::name).toList();
  }

  /** An option that takes the name or alias of an entry, with arguments if entries have them. */
  public Setting<String> option(String name, String fallback) {
    boolean some = all().stream().anyMatch(entry -> !entry.arguments().isEmpty());
    String range = "one of " + String.join(", ", names());
    return Setting.of(name, fallback, JsonForm.named(names()), this::canonical)
        .in(
            range + (some ? "; NAME:ARGUMENTS for some" : ""),
            text -> !text.isBlank() && text.indexOf('\0') < 0);
  }

  /**
   * Returns the entry with a name or alias. Case is ignored, and underscores count as dashes.
   *
   * @throws UsageException if there is none; the message has a similar name or all names
   */
  public E named(String name) {
    return named(name, "");
  }

  private E named(String name, String hint) {
    return find(name).orElseThrow(() -> new UsageException(unknown(name) + hint));
  }

  /** Names of the entries for which a condition holds, in the order for help, for a message. */
  public String names(Predicate<? super E> condition) {
    return all().stream().filter(condition).map(Entry::name).collect(Collectors.joining(", "));
  }

  /** The options of all entries, each once, in the order for help. */
  public List<Setting<?>> options() {
    return all().stream().<Setting<?>>flatMap(e -> e.options().stream()).distinct().toList();
  }

  /**
   * Finds options that other entries have and the chosen one has not.
   *
   * @param given names of options
   * @return a line for each
   */
  public List<String> unused(E chosen, Collection<String> given) {
    List<String> problems = new ArrayList<>();
    for (String option : given) {
      String owners = names(entry -> has(entry, option));
      if (!has(chosen, option) && !owners.isEmpty()) {
        problems.add(
            "%s %s: has no use for --%s, which belongs to %s; leave it out or change the %1$s"
                .formatted(kind, chosen.name(), option, owners));
      }
    }
    return problems;
  }

  private static boolean has(Entry entry, String option) {
    return entry.options().stream().anyMatch(o -> o.name().equals(option));
  }

  /** The entry with a name or alias; empty if there is none. */
  public Optional<E> find(String name) {
    return all().stream().filter(e -> labels(e).anyMatch(normal(name)::equals)).findFirst();
  }

  /**
   * Parses {@code NAME[:ARGUMENTS]}.
   *
   * @throws UsageException if there is no such entry
   */
  public Choice<E> choose(String text) {
    return choose(text, "");
  }

  /**
   * Parses {@code NAME[:ARGUMENTS]}.
   *
   * @param hint ends the message if there is no such entry
   * @throws UsageException if there is no such entry
   */
  public Choice<E> choose(String text, String hint) {
    String head = head(text);
    String given = text.length() == head.length() ? "" : text.substring(head.length() + 1);
    return new Choice<>(kind, named(head, hint), given);
  }

  /**
   * Replaces an alias at the start of a text by the entry's name.
   *
   * @param text {@code NAME}, or {@code NAME:…}, or {@code NAME+…}
   * @return the unchanged text if no entry has the name
   */
  public String canonical(String text) {
    String head = head(text);
    return find(head).map(entry -> entry.name() + text.substring(head.length())).orElse(text);
  }

  private static String head(String text) {
    return text.split("[:+]", 2)[0];
  }

  private static Stream<String> labels(Entry entry) {
    return Stream.concat(Stream.of(entry.name()), entry.description().aliases().stream())
        .map(Registry::normal);
  }

  private static String normal(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The error message for a name that no entry has. */
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
        if (type.isAssignableFrom(plugin.kind())) {
          addAll(plugin, found, owners);
        }
      }
    } catch (ServiceConfigurationError | LinkageError | TypeNotPresentException e) {
      throw new UsageException(
          "plugins: expected %ss built for this version, found: %s%s; build the plugin again or"
              + " remove it",
          kind, e.getMessage(), e.getCause() == null ? "" : ": " + e.getCause());
    }
    return List.copyOf(found);
  }

  private void addAll(Plugin<?> plugin, List<E> found, Map<String, String> owners) {
    try {
      plugin.entries().forEach(entry -> add(type.cast(entry), plugin, found, owners));
    } catch (UsageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new UsageException(
          "plugin %s: cannot list its %ss: %s; correct or remove it",
          plugin.getClass().getName(), kind, e);
    }
  }

  private void add(E entry, Plugin<?> plugin, List<E> found, Map<String, String> owners) {
    String owner = plugin.getClass().getName();
    labels(entry).forEach(label -> addLabel(label, owner, owners));
    found.add(entry);
  }

  private void addLabel(String label, String owner, Map<String, String> owners) {
    if (!NAME.matcher(label).matches()) {
      throw new UsageException(
          "plugin %s: expected a %s of letters, digits, '.', '_' and '-', found '%s'; correct or"
              + " remove it",
          owner, kind, label);
    }
    String other = owners.put(label, owner);
    if (other != null) {
      throw new UsageException(
          "%s '%s': expected one of this name, found two, of %s and of %s; remove one plugin",
          kind, label, other, owner);
    }
  }
}
