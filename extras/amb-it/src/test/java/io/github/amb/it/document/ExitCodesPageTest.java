package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.ExitCode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExitCodesPageTest {
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| `([A-Z_]+)` \\|");

  @Test
  void thePageHasTheCodesOfTheProgram() throws IOException, IllegalAccessException {
    Map<String, Integer> constants = new TreeMap<>();
    for (Field field : ExitCode.class.getFields()) {
      constants.put(field.getName(), field.getInt(null));
    }
    Map<String, Integer> page = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("../../docs/reference/exit-codes.md")));
    while (row.find()) {
      page.put(row.group(2), Integer.valueOf(row.group(1)));
    }

    assertEquals(constants, page);
  }
}
