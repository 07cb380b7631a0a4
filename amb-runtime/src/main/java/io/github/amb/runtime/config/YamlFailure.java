package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.amb.core.option.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with a file that is not YAML. */
public final class YamlFailure {
  private static final Pattern LINE = Pattern.compile("line (\\d+), column \\d+");

  private YamlFailure() {}

  /**
   * The problem with its file and line. The parser says first what it was reading, then what it
   * found there, each with its place.
   *
   * @param expected what the file was expected to have
   */
  public static UsageException of(String file, String expected, JsonProcessingException e) {
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
}
