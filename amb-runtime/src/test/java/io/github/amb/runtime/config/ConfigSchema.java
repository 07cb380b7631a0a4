package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.Schemes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema of files for {@code --config}, by which editors complete and check them. */
final class ConfigSchema {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ConfigSchema() {}

  static String text() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      if (setting.role() == Setting.Role.ORDER) {
        continue; // No file gives it.
      }
      properties.put(setting.name(), option(setting));
      Map<String, String> same = Map.of("$ref", "#/properties/" + setting.name());
      setting.aliases().forEach(alias -> properties.put(alias, same));
    }
    for (Schemes.Entry scheme : Schemes.ALL.all()) {
      Map<String, Object> section = new LinkedHashMap<>();
      section.put("description", "options that apply if the scheme is " + scheme.name());
      section.put("$ref", "#");
      properties.put(scheme.name(), section);
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Configuration of amb train");
    schema.put("type", "object");
    schema.put("additionalProperties", false);
    schema.put("properties", properties);
    try {
      return JSON.writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the schema cannot be written: " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> option(Setting<?> setting) {
    Map<String, Object> option = new LinkedHashMap<>();
    option.put("description", setting.help() + "; " + setting.range());
    JsonForm form = setting.form();
    if (!form.choices().isEmpty()) {
      option.put("enum", form.choices());
    } else if (!form.names().isEmpty()) {
      option.put("anyOf", List.of(Map.of("enum", form.names()), Map.of("type", "string")));
    } else {
      option.put("type", form.types().size() == 1 ? form.types().get(0) : form.types());
    }
    if (!setting.usual().isEmpty()) {
      option.put("default", usual(setting));
    }
    return option;
  }

  private static Object usual(Setting<?> setting) {
    boolean number = setting.fallback() instanceof Number && !setting.usual().equals("inf");
    boolean typed = number || setting.fallback() instanceof List<?>;
    return typed ? setting.fallback() : setting.usual();
  }
}
