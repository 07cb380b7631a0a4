package io.github.amb.runtime.config;

import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.amb.core.file.Printable;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.Schemes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The text of {@code amb train --print-config}, which is a file for {@code --config} again. */
public final class PrintedConfig {
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  /** Text that means itself in YAML without quotes. */
  private static final Pattern PLAIN = Pattern.compile("(?!(?i:null)$)[A-Za-z0-9][\\w./-]*");

  private PrintedConfig() {}

  /** Every option that has a value, one a line by group, with where the value is from. */
  public static String text(Settings settings) {
    StringBuilder text = new StringBuilder();
    List<String> none = new ArrayList<>();
    for (OptionGroup group : TrainSettings.GROUPS) {
      text.append("# ").append(group.name()).append('\n');
      for (Setting<?> setting : group.settings()) {
        Object value = settings.recorded(setting);
        String own = ownDefault(setting, settings);
        if (value != null) {
          // No file gives an order.
          text.append(setting.role() == Setting.Role.ORDER ? "# " : "");
          text.append(line(setting.name(), value, settings.origin(setting)));
        } else if (!own.isEmpty()) {
          text.append(line(setting.name(), own, settings.origin(setting)));
        } else {
          none.add(setting.name());
        }
      }
    }
    return text.append("# without a value: ")
        .append(String.join(", ", none))
        .append('\n')
        .toString();
  }

  /** The default of an option of the run's scheme; empty for none, and for other options. */
  private static String ownDefault(Setting<?> setting, Settings settings) {
    String scheme = settings.get(TrainSettings.SCHEME);
    return Schemes.ALL.all().stream()
        .filter(entry -> entry.name().equals(scheme))
        .flatMap(entry -> entry.options().stream())
        .filter(option -> option.name().equals(setting.name()))
        .map(Setting::fallback)
        .filter(fallback -> fallback != null)
        .map(Object::toString)
        .findFirst()
        .orElse("");
  }

  private static String line(String name, Object value, String origin) {
    String from = Printable.printable(ConfigFile.inOneLine(origin));
    return "%-32s # %s%n".formatted(value(name, value), from);
  }

  private static String value(String name, Object value) {
    if (value instanceof List<?> items) {
      String all = items.stream().map(String::valueOf).collect(Collectors.joining(", "));
      return name + ": [" + all + "]";
    }
    if (value instanceof Number) {
      return name + ": " + value.toString().replace("Infinity", "inf");
    }
    if (value instanceof String text && PLAIN.matcher(text).matches()) {
      return name + ": " + text;
    }
    return Reading.certain(() -> YAML.writeValueAsString(Map.of(name, value))).strip();
  }
}
