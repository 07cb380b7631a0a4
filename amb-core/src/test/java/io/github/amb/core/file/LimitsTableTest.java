package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LimitsTableTest {
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+)` \\| (\\d+) \\|");

  @Test
  void theTableHasEveryConstant() throws IOException, IllegalAccessException {
    Map<String, Long> constants = new TreeMap<>();
    for (Field field : DataLimits.class.getFields()) {
      constants.put(field.getName(), ((Number) field.get(null)).longValue());
    }
    Map<String, Long> table = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("../docs/reference/limits.md")));
    while (row.find()) {
      table.put(row.group(1), Long.valueOf(row.group(2)));
    }
    assertEquals(constants, table);
  }
}
