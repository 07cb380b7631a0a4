package io.github.amb.runtime.config;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.runtime.checkpoint.CheckpointSettings;
import io.github.amb.runtime.host.RankSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.WordUtils;

/** The text of {@code amb train --help} and of {@code amb train --help TOPIC}. */
public final class Help {
  private static final int COLUMNS = 80;
  private static final String ALL = "all";

  private static final String USAGE =
      """
      usage: amb train DATA-SET SCHEME UPDATE-RULE BATCH-SIZE [OPTION VALUE]...

        amb train digits fmb rms 64 --workers 2
        amb train mnist amb rms 256 --amb-time-limit 0.2 --amb-num-partitions 16 \\
            --induce niagara --induce-scale 0.05 --workers 3 --data-dir DIR
      """;

  /** The four words of a command, and the most frequent options. */
  private static final List<Setting<?>> COMMON =
      List.of(
          DataSettings.DATA_SET,
          TrainSettings.SCHEME,
          TrainSettings.UPDATE_RULE,
          TrainSettings.BATCH_SIZE,
          RankSettings.WORKERS,
          DataSettings.DATA_DIR,
          NetworkSettings.NETWORK,
          TrainSettings.LEARNING_RATE,
          TrainSettings.MAX_EPOCHS,
          TrainSettings.LAST_STEP,
          TrainSettings.SEED,
          CheckpointSettings.RESUME);

  private Help() {}

  /**
   * A page of help, at most 80 columns wide.
   *
   * @param topic a group, a scheme, an option without its dashes, {@code all}, or empty for the
   *     short usage
   * @throws UsageException if there is no such topic
   */
  public static String text(String topic) {
    StringBuilder text = new StringBuilder();
    Optional<OptionGroup> group = group(topic);
    Setting<?> setting = CommandLine.byName().get(topic.replace('_', '-'));
    if (topic.isEmpty()) {
      addUsage(text);
    } else if (topic.equals(ALL)) {
      text.append(USAGE);
      TrainSettings.GROUPS.forEach(each -> addGroup(text.append('\n'), each));
      addProgram(text.append('\n'));
    } else if (group.isPresent()) {
      addGroup(text, group.get());
    } else if (Schemes.ALL.find(topic).isPresent()) {
      addScheme(text, Schemes.ALL.named(topic));
    } else if (setting != null) {
      addOption(text, setting);
    } else {
      throw new UsageException("--help: unknown topic '" + topic + "'" + nearest(topic));
    }
    return text.toString();
  }

  private static String nearest(String topic) {
    List<String> topics =
        new ArrayList<>(TrainSettings.GROUPS.stream().map(OptionGroup::name).toList());
    topics.addAll(Schemes.ALL.names());
    topics.add(ALL);
    return Suggestion.forName(topic, topics);
  }

  private static Optional<OptionGroup> group(String name) {
    return TrainSettings.GROUPS.stream().filter(group -> group.name().equals(name)).findFirst();
  }

  private static void addUsage(StringBuilder text) {
    text.append(USAGE).append("\nOptions of most runs:\n");
    for (Setting<?> setting : COMMON) {
      boolean word = TrainSettings.POSITIONAL.contains(setting);
      String name = word ? setting.name().toUpperCase(Locale.ROOT) : dashed(setting);
      addColumn(text, name, setting.help());
    }
    CommandLine.describeProgram((name, help) -> addColumn(text, name, help));
    text.append("\nGroups of options:\n");
    TrainSettings.GROUPS.forEach(group -> addColumn(text, group.name(), group.title()));
    text.append(
        """

        amb train --help GROUP    options of a group, with range and default
        amb train --help SCHEME   options of a scheme, one of
        %s
        amb train --help OPTION   one option
        amb train --help all      every option
        """
            .formatted(indented(String.join(", ", Schemes.ALL.names()), 28)));
  }

  private static String dashed(Setting<?> setting) {
    return "--" + setting.name();
  }

  private static void addColumn(StringBuilder text, String name, String meaning) {
    String wrapped = wrap(meaning, COLUMNS - 20).replace("\n", "\n" + " ".repeat(20));
    text.append("  %-17s %s%n".formatted(name, wrapped));
  }

  private static void addGroup(StringBuilder text, OptionGroup group) {
    text.append(wrap(group.name() + ": " + group.title(), COLUMNS)).append('\n');
    if (group.settings().contains(TrainSettings.SCHEME)) {
      Schemes.ALL.all().forEach(scheme -> addColumn(text, scheme.name(), scheme.summary()));
    }
    group.settings().forEach(setting -> addOption(text.append('\n'), setting));
  }

  private static void addScheme(StringBuilder text, Schemes.Entry scheme) {
    text.append(wrap("scheme " + scheme.name() + ": " + scheme.summary(), COLUMNS)).append('\n');
    scheme.options().forEach(option -> addOption(text.append('\n'), option));
    if (scheme.options().isEmpty()) {
      text.append("  It has no options of its own.\n");
    }
  }

  private static void addOption(StringBuilder text, Setting<?> setting) {
    StringBuilder names = new StringBuilder("  ").append(dashed(setting));
    setting.aliases().forEach(alias -> names.append(", --").append(alias));
    text.append(names).append('\n');
    addBlock(text, setting.help());
    addBlock(text, "Value: " + setting.rangeAndDefault() + implied(setting));
    String schemes = schemesOf(setting);
    if (!schemes.isEmpty()) {
      addBlock(text, "Schemes: " + schemes);
    }
  }

  private static String implied(Setting<?> setting) {
    return setting.implied() == null ? "" : "; without a value " + setting.implied();
  }

  /** The schemes that have an option, joined by commas; empty for an option of all runs. */
  static String schemesOf(Setting<?> setting) {
    return String.join(
        ", ",
        Schemes.ALL.all().stream()
            .filter(s -> s.options().stream().anyMatch(o -> o.name().equals(setting.name())))
            .map(Schemes.Entry::name)
            .toList());
  }

  private static void addBlock(StringBuilder text, String words) {
    text.append(indented(words, 6)).append('\n');
  }

  private static String indented(String words, int columns) {
    return wrap(words, COLUMNS - columns).indent(columns).stripTrailing();
  }

  private static String wrap(String words, int columns) {
    return WordUtils.wrap(words, columns, "\n", false);
  }

  private static void addProgram(StringBuilder text) {
    text.append("configuration: files of options\n");
    CommandLine.describeProgram((name, help) -> addColumn(text, name, help));
  }
}
