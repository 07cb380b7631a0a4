package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;

/**
 * A YAML file of options, one {@code option: value} a line. Values are taken as they are written,
 * as on the command line, so that YAML's own ideas of numbers do not matter; the items of a list
 * are joined by commas.
 */
final class ConfigFile {
  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String file;
  private final YAMLParser yaml;
  private final List<String> problems;
  private final PlacedOptions options = new PlacedOptions();

  private ConfigFile(String file, YAMLParser yaml, List<String> problems) {
    this.file = file;
    this.yaml = yaml;
    this.problems = problems;
  }

  /**
   * The options in the file.
   *
   * @param problems receives what is wrong with keys and values
   * @throws UsageException if the file cannot be read or is not YAML
   */
  static Settings read(String file, List<String> problems) {
    try (YAMLParser yaml = YAML.createParser(content(file))) {
      ConfigFile config = new ConfigFile(file, yaml, problems);
      config.read();
      problems.replaceAll(ConfigFile::inOneLine);
      return config.options.settings();
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new UsageException(
          "%s line %d: expected 'option: value' lines, found: %s"
              .formatted(file, line, e.getOriginalMessage().lines().findFirst().orElse("")));
    } catch (IOException e) {
      throw new UsageException("--config: cannot read '" + file + "': " + e.getMessage());
    }
  }

  /** The parser's time grows with the square of a value's length. */
  private static byte[] content(String file) throws IOException {
    return BoundedFile.read(Path.of(file), "a file of options", DataLimits.CONFIG_BYTES);
  }

  private void read() throws IOException {
    JsonToken first = yaml.nextToken();
    if (first == null) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      throw notOptions(first == JsonToken.START_ARRAY ? "a list" : "'" + yaml.getText() + "'");
    }
    while (yaml.nextToken() == JsonToken.FIELD_NAME) {
      readOption(yaml.currentName());
    }
    if (yaml.nextToken() != null) {
      throw notOptions("a second document");
    }
  }

  private UsageException notOptions(String found) {
    return new UsageException(
        inOneLine("%s: expected 'option: value' lines, found %s".formatted(where(), found)));
  }

  /** Keys and values of a file may have line ends. */
  static String inOneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ");
  }

  private void readOption(String key) throws IOException {
    String place = where();
    options.add(key, value(yaml, yaml.nextToken()), place, problems);
  }

  /** The current value as text, or null if it is none, a map, or a list with such items. */
  static String value(JsonParser file, JsonToken token) throws IOException {
    if (token == JsonToken.START_ARRAY) {
      return items(file);
    }
    if (token == null || !token.isScalarValue() || token == JsonToken.VALUE_NULL) {
      file.skipChildren();
      return null;
    }
    return file.getText();
  }

  /** The items of the current list, or null if one is no single value. */
  private static String items(JsonParser file) throws IOException {
    StringJoiner items = new StringJoiner(",");
    boolean single = true;
    for (JsonToken t = file.nextToken(); t != JsonToken.END_ARRAY; t = file.nextToken()) {
      String item = value(file, t);
      single &= item != null && t.isScalarValue();
      items.add(String.valueOf(item));
    }
    return single ? items.toString() : null;
  }

  private String where() {
    return file + " line " + yaml.currentTokenLocation().getLineNr();
  }
}
