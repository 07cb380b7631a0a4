package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A value of a YAML or JSON file, and where it stands. Scalars are kept as they are written, so
 * that YAML's own ideas of numbers do not matter.
 *
 * @param place file and line; of a map's value, that of its key
 * @param text of a scalar; null for anything else, and for none
 * @param items of a list; null for anything else
 * @param fields of a map, in the file's order; null for anything else
 */
public record PlacedValue(
    String place, String text, List<PlacedValue> items, Map<String, PlacedValue> fields) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final Pattern LINE = Pattern.compile("line (\\d+), column \\d+");

  /**
   * The map of a YAML file with one document, or nothing.
   *
   * @param file its name, for messages
   * @param expected what it is to have, such as {@code 'key: value' lines}
   * @throws UsageException if it is not YAML, or has something else
   */
  public static PlacedValue ofYaml(String file, byte[] content, String expected)
      throws IOException {
    try (JsonParser yaml = YAML.createParser(content)) {
      yaml.nextToken();
      PlacedValue top = read(file, yaml, where(file, yaml));
      if (top.fields == null && !top.isNone()) {
        throw new UsageException("%s: expected %s, found %s", top.place, expected, top.describe());
      }
      if (yaml.nextToken() != null) {
        throw new UsageException(
            "%s: expected %s, found a second document", where(file, yaml), expected);
      }
      return top;
    } catch (JsonProcessingException e) {
      throw invalid(file, expected, e);
    }
  }

  /**
   * The first value of a JSON file.
   *
   * @throws IOException if it is not JSON
   */
  static PlacedValue ofJson(String file, byte[] content) throws IOException {
    try (JsonParser json = JSON.createParser(content)) {
      json.nextToken();
      return read(file, json, where(file, json));
    }
  }

  /**
   * A file that is not YAML. The parser says first what it was reading, then what it found there,
   * each with its place.
   */
  private static UsageException invalid(String file, String expected, JsonProcessingException e) {
    int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
    String found = "";
    for (String text : e.getOriginalMessage().lines().toList()) {
      Matcher place = LINE.matcher(text);
      if (place.find()) {
        line = Integer.parseInt(place.group(1));
      } else if (!text.startsWith(" ")) {
        found = text;
      }
    }
    return new UsageException("%s line %d: expected %s, found: %s", file, line, expected, found);
  }

  private static String where(String file, JsonParser parser) {
    return file + " line " + parser.currentTokenLocation().getLineNr();
  }

  private static PlacedValue read(String file, JsonParser parser, String place) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, PlacedValue> fields = new LinkedHashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String key = parser.currentName();
        String at = where(file, parser);
        parser.nextToken();
        fields.put(key, read(file, parser, at));
      }
      return new PlacedValue(place, null, null, fields);
    }
    if (token == JsonToken.START_ARRAY) {
      List<PlacedValue> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(read(file, parser, where(file, parser)));
      }
      return new PlacedValue(place, null, items, null);
    }
    boolean none = token == null || token == JsonToken.VALUE_NULL;
    return new PlacedValue(place, none ? null : parser.getText(), null, null);
  }

  /** Whether it is nothing, as null. */
  public boolean isNone() {
    return text == null && items == null && fields == null;
  }

  /** What it is, for a message. */
  public String describe() {
    return fields != null ? "a map" : items != null ? "a list" : isNone() ? "nothing" : quoted();
  }

  private String quoted() {
    return "'" + ConfigFile.inOneLine(text.strip()) + "'";
  }

  /** Does something with each field of a map; nothing with anything else. */
  public void each(BiConsumer<String, PlacedValue> action) {
    if (fields != null) {
      fields.forEach(action);
    }
  }

  /** The same in one line, which {@link #ofYaml} reads. */
  public String json() {
    if (items != null) {
      return items.stream().map(PlacedValue::json).collect(Collectors.joining(", ", "[", "]"));
    }
    if (fields != null) {
      return fields.entrySet().stream()
          .map(field -> scalar(field.getKey()) + ": " + field.getValue().json())
          .collect(Collectors.joining(", ", "{", "}"));
    }
    return text == null ? "null" : scalar(text);
  }

  private static String scalar(String text) {
    return TextNode.valueOf(text.strip()).toString();
  }

  /** A scalar, or a list of them joined by commas, as options take it; null for anything else. */
  public String option() {
    if (items == null) {
      return text;
    }
    List<String> texts = items.stream().map(PlacedValue::text).toList();
    return texts.contains(null) ? null : String.join(",", texts);
  }
}
