package io.github.amb.runtime.experiment;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.YamlFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a YAML file, and where it stands. Scalars are kept as they are written, so that YAML's
 * own ideas of numbers do not matter.
 *
 * @param place file and line
 * @param text of a scalar; null for anything else, and for none
 * @param items of a list; null for anything else
 * @param fields of a map, in the file's order; null for anything else
 */
public record YamlNode(
    String place, String text, List<YamlNode> items, Map<String, YamlNode> fields) {
  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /**
   * Reads a file with one document.
   *
   * @throws UsageException if it cannot be read, is not YAML, or has no map at its top
   */
  public static YamlNode read(Path file) {
    try (JsonParser yaml =
        YAML.createParser(BoundedFile.readNamed(file, "an experiment", DataLimits.CONFIG_BYTES))) {
      yaml.nextToken();
      YamlNode top = node(file, yaml);
      if (top.fields == null) {
        throw new UsageException(
            top.place + ": expected 'key: value' lines, found " + top.describe());
      }
      if (yaml.nextToken() != null) {
        throw new UsageException(file + ": expected one document, found a second one");
      }
      return top;
    } catch (JsonProcessingException e) {
      throw YamlFailure.of(file.toString(), "YAML", e);
    } catch (IOException e) {
      throw new UsageException(FileFailure.text(e));
    }
  }

  private static YamlNode node(Path file, JsonParser yaml) throws IOException {
    JsonToken token = yaml.currentToken();
    String place = file + " line " + yaml.currentTokenLocation().getLineNr();
    if (token == JsonToken.START_OBJECT) {
      Map<String, YamlNode> fields = new LinkedHashMap<>();
      while (yaml.nextToken() == JsonToken.FIELD_NAME) {
        String key = yaml.currentName();
        yaml.nextToken();
        fields.put(key, node(file, yaml));
      }
      return new YamlNode(place, null, null, fields);
    }
    if (token == JsonToken.START_ARRAY) {
      List<YamlNode> items = new ArrayList<>();
      while (yaml.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(file, yaml));
      }
      return new YamlNode(place, null, items, null);
    }
    boolean none = token == null || token == JsonToken.VALUE_NULL;
    return new YamlNode(place, none ? null : yaml.getText().strip(), null, null);
  }

  /** What it is, for a message. */
  public String describe() {
    return fields != null
        ? "a map"
        : items != null ? "a list" : text == null ? "nothing" : "'" + text + "'";
  }

  /** A scalar, or a list of them joined by commas, as options take it; null for anything else. */
  public String option() {
    if (items == null) {
      return text;
    }
    List<String> texts = items.stream().map(YamlNode::text).toList();
    return texts.contains(null) ? null : String.join(",", texts);
  }
}
