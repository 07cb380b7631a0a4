package io.github.amb.models.dl4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds what a configuration asks for and nobody computes: fields that DL4J does not know, and
 * those that it knows and this program does not apply. Update rule, weight decay and clipping are
 * no such fields, as the master has its own.
 */
record UnreadFields(String source, List<String> problems) {
  /** The only values that fields may have which are not applied. */
  private static final Map<String, List<String>> USUAL =
      Map.of(
          "constraints", List.of("null", "[]"),
          "hasLayerNorm", List.of("false"),
          "minimize", List.of("true"),
          "backpropType", List.of("\"Standard\""),
          "stepFunction", List.of("null"),
          "softmaxClipEps", List.of("1.0E-10"),
          "minibatch", List.of("true"));

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * Checks a configuration.
   *
   * @param given DL4J's JSON as it was found
   * @param known what DL4J writes after it has read {@code given}
   * @throws UsageException naming all fields that would have no effect
   */
  static void reject(String source, String given, String known) {
    UnreadFields unread = new UnreadFields(source, new ArrayList<>());
    try {
      unread.compare("the network", JSON.readTree(given), JSON.readTree(known));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
    UsageException.expectNone(unread.problems);
  }

  private void compare(String where, JsonNode given, JsonNode known) {
    String name = given.path("layerName").asText("");
    String place = name.isEmpty() ? where : "layer " + name;
    given
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              JsonNode read = known.get(field.getKey());
              List<String> usual = USUAL.get(field.getKey());
              if (read == null && !isNothing(value)) {
                add(place, "known fields", field.getKey(), value);
              } else if (usual != null && read != null && !usual.contains(read.toString())) {
                add(place, usual.get(usual.size() - 1), field.getKey(), value);
              } else if (read != null) {
                compare(place, value, read);
              }
            });
    for (int i = 0; i < given.size() && given.isArray() && i < known.size(); i++) {
      compare(place, given.get(i), known.get(i));
    }
  }

  private void add(String place, String expected, String field, JsonNode value) {
    String type = value.path(0).path("@class").asText(value.toString());
    problems.add(
        "%s: %s: expected %s, found %s %s, which would have no effect; leave it out"
            .formatted(source, place, expected, field, type.substring(type.lastIndexOf('.') + 1)));
  }

  private static boolean isNothing(JsonNode value) {
    return value.isNull()
        || value.isContainerNode() && value.isEmpty()
        || value.isBoolean() && !value.booleanValue()
        || value.isTextual() && value.textValue().isEmpty();
  }
}
