package io.github.amb.core.file;

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
    return Reading.certain(() -> ASCII.writeValueAsString(value));
  }

  /** The value in lines, as people read it. */
  public static String document(Object value) {
    ObjectWriter pretty = ASCII.writerWithDefaultPrettyPrinter();
    return Reading.certain(() -> pretty.writeValueAsString(value)) + "\n";
  }
}
