package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.Map;
import java.util.Objects;

/** The text of {@code amb train --help}. */
public final class Help {
  private static final String USAGE =
      """
      usage: amb train DATA-SET SCHEME UPDATE-RULE BATCH-SIZE [OPTION VALUE]...
        e.g. amb train mnist fmb rms 64 --workers 2 --data-dir DIR
             amb train digits amb rms 256 --amb-time-limit 0.2 --amb-num-partitions 16 \\
               --induce niagara --induce-scale 0.05 --workers 3

      """;

  private static final YAMLMapper YAML =
      YAMLMapper.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).build();

  private Help() {}

  /** Every option's value that has one, as a file for {@code --config}. */
  public static String configuration(Settings settings) {
    Map<String, Object> values = settings.all();
    values.values().removeIf(Objects::isNull);
    try {
      return YAML.writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("settings cannot be written: " + e.getMessage(), e);
    }
  }

  /** Every option with its range, default and meaning. */
  public static String text() {
    StringBuilder text = new StringBuilder(USAGE);
    for (Setting<?> setting : TrainSettings.ALL) {
      text.append("  --%s  %s%n".formatted(setting.name(), setting.help()));
      text.append("      %s".formatted(setting.range()));
      if (setting.fallback() != null) {
        text.append("; default %s".formatted(setting.fallback()));
      }
      if (!setting.aliases().isEmpty()) {
        text.append("; also --").append(String.join(", --", setting.aliases()));
      }
      text.append('\n');
    }
    text.append("  --config FILE  YAML file of options; the command line wins over it\n");
    text.append("  --print-config  print every option's value and exit\n");
    return text.toString();
  }
}
