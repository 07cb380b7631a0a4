package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import io.github.amb.core.engine.Message;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Manifest;
import java.util.Arrays;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of files has the fields that the program writes. */
class FilesPageTest {
  private static final String PAGE =
      SourceTree.text(SourceTree.HERE.root().resolve("docs/reference/files.md"));
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*) \\|");
  private static final Pattern NAME = Pattern.compile("`([a-z_0-9]+)`");

  static Stream<JsonSubTypes.Type> records() {
    return Arrays.stream(LogRecord.class.getAnnotation(JsonSubTypes.class).value());
  }

  @ParameterizedTest
  @MethodSource("records")
  void everyFieldOfARecordIsThere(JsonSubTypes.Type record) {
    assertEquals(fields(record.value()), section("\n### " + record.name() + ","));
  }

  @Test
  void everyFieldOfRunJsonIsThere() {
    SortedSet<String> page = section("\n## run.json");
    page.removeIf(name -> !fields(RunInfo.class).contains(name));

    assertEquals(fields(RunInfo.class), page);
  }

  @Test
  void everyFieldOfAManifestIsThere() {
    assertEquals(fields(Manifest.class), section("| field of `manifest.json` "));
  }

  @Test
  void everyKindOfMessageIsThere() {
    for (Message.Kind kind : Message.Kind.values()) {
      String row = "| " + kind.ordinal() + " | " + kind + " |";
      assertEquals(1, PAGE.split(Pattern.quote(row), -1).length - 1, row);
    }
  }

  private static SortedSet<String> fields(Class<?> record) {
    SortedSet<String> fields = new TreeSet<>();
    for (var component : record.getRecordComponents()) {
      fields.add(component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT));
    }
    return fields;
  }

  /** Names in the first cells of the rows from a line to the next heading. */
  private static SortedSet<String> section(String start) {
    int from = PAGE.indexOf(start);
    int to = PAGE.indexOf("\n#", from + start.length());
    SortedSet<String> names = new TreeSet<>();
    ROW.matcher(PAGE.substring(from, to))
        .results()
        .flatMap(row -> NAME.matcher(row.group(1)).results())
        .forEach(name -> names.add(name.group(1)));
    return names;
  }
}
