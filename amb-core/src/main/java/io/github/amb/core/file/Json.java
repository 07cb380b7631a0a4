package io.github.amb.core.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Writes numbers, texts, lists, maps and records of them as JSON, in ASCII. */
public final class Json {
  private static final JsonMapper ASCII =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Json() {}

  /** The value in one line, without its end. */
  public static String line(Object value) {
    return text(ASCII.writer(), value);
  }

  /** The value in lines, as people read it. */
  public static String document(Object value) {
    return text(ASCII.writerWithDefaultPrettyPrinter(), value) + "\n";
  }

  private static String text(ObjectWriter writer, Object value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected a value that JSON has, found " + e.getMessage(), e);
    }
  }
}
