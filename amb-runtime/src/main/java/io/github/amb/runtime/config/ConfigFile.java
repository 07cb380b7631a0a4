package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Schemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A YAML file of options, one {@code option: value} per line, or the {@code run.json} of a run. The
 * options of a scheme may stand in a section with the scheme's name, which other schemes ignore.
 *
 * <p>Values are taken as they are written, as on the command line, and not as YAML understands
 * them. The items of a list are joined by commas.
 */
final class ConfigFile {
  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String file;
  private final YAMLParser yaml;
  private final List<String> problems;
  private final Map<String, Settings> sections = new LinkedHashMap<>();

  /** Of the section that is being read, or outside sections. */
  private PlacedOptions options = new PlacedOptions();

  private ConfigFile(String file, YAMLParser yaml, List<String> problems) {
    this.file = file;
    this.yaml = yaml;
    this.problems = problems;
  }

  /**
   * The options in the file.
   *
   * @param file a YAML file, a run directory, or a {@code run.json} under any name. From a run come
   *     values alone, no commands, hosts and directories
   * @param problems receives what is wrong with keys and values
   * @throws UsageException if the file cannot be read or is not YAML
   */
  static ConfigLayer read(String file, List<String> problems) {
    try {
      Path path = Path.of(file);
      Path source = Files.isDirectory(path) ? path.resolve("run.json") : path;
      byte[] content = content(source, source == path);
      if (RecordedSettings.describesRun(content)) {
        return RecordedSettings.again(source, content);
      }
      return read(source.toString(), content, problems);
    } catch (JsonProcessingException e) {
      throw new UsageException("--config: %s: %s", file, FileFailure.text(e));
    } catch (IOException e) {
      throw new UsageException("--config: " + FileFailure.text(e));
    }
  }

  private static ConfigLayer read(String file, byte[] content, List<String> problems)
      throws IOException {
    try (YAMLParser yaml = YAML.createParser(content)) {
      ConfigFile config = new ConfigFile(file, yaml, new ArrayList<>());
      config.read();
      config.problems.forEach(problem -> problems.add(inOneLine(problem)));
      return new ConfigLayer(config.options.settings(), config.sections);
    } catch (JsonProcessingException e) {
      throw YamlFailure.of(file, "'option: value' lines", e);
    }
  }

  /** Limits the length, as the parser's time grows with the square of a value's length. */
  private static byte[] content(Path file, boolean named) throws IOException {
    return named
        ? BoundedFile.readNamed(file, "a file of options", DataLimits.CONFIG_BYTES)
        : BoundedFile.read(file, "the description of a run", DataLimits.CONFIG_BYTES);
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
      readKey(yaml.currentName());
    }
    if (yaml.nextToken() != null) {
      throw notOptions("a second document");
    }
  }

  private UsageException notOptions(String found) {
    return new UsageException(
        inOneLine("%s: expected 'option: value' lines, found %s".formatted(where(), found)));
  }

  /** Replaces line ends, which keys and values of a file may have. */
  static String inOneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ");
  }

  private void readKey(String key) throws IOException {
    String place = where();
    JsonToken value = yaml.nextToken();
    Optional<String> scheme = Schemes.ALL.find(key).map(Schemes.Entry::name);
    if (value == JsonToken.START_OBJECT && scheme.isPresent()) {
      readSection(scheme.get());
    } else {
      options.add(key, value(yaml, value), place, problems);
    }
  }

  private void readSection(String scheme) throws IOException {
    PlacedOptions outside = options;
    options = new PlacedOptions();
    while (yaml.nextToken() == JsonToken.FIELD_NAME) {
      String key = yaml.currentName();
      if (key.equals(TrainSettings.SCHEME.name())) {
        problems.add(where() + ": expected no scheme in a section of a scheme, found one");
      }
      String place = where();
      options.add(key, value(yaml, yaml.nextToken()), place, problems);
    }
    sections.put(scheme, options.settings());
    options = outside;
  }

  /**
   * The current value as text, or null if it is a map, or a list with other items than single
   * values.
   */
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

  /** The items of the current list, or null if one is not a single value. */
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
