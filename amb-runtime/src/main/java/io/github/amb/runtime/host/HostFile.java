package io.github.amb.runtime.host;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of {@code --hosts}: one host per line, by address or name, the master's first. A host
 * has one slot, a place for one rank, unless its line has {@code slots=4}; a host on several lines
 * has the slots of all of them. {@code #} starts a comment.
 */
public final class HostFile {
  private static final Pattern LINE =
      Pattern.compile("(?<host>[^\\s=]+)(\\s+slots\\s*=\\s*(?<slots>[1-9]\\d{0,3}))?");

  private HostFile() {}

  /**
   * The host of every slot, in the file's order.
   *
   * @throws UsageException if it cannot be read, or with all invalid lines
   */
  public static List<String> slots(Path file) {
    int limit = DataLimits.CONFIG_BYTES;
    byte[] text =
        Reading.option("--hosts", () -> BoundedFile.readNamed(file, "a file of hosts", limit));
    String lines = new String(text, StandardCharsets.UTF_8);
    return slots(
        file.toString(), lines.substring(lines.startsWith("\ufeff") ? 1 : 0).lines().toList());
  }

  /**
   * The host of every slot that lines have.
   *
   * @param where the file's name, for messages
   * @param lines not modified
   * @throws UsageException with all invalid lines
   */
  static List<String> slots(String where, List<String> lines) {
    List<String> problems = new ArrayList<>();
    List<String> slots = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && !matcher.group("host").startsWith("-")) {
        String count = matcher.group("slots");
        slots.addAll(
            Collections.nCopies(
                count == null ? 1 : Integer.parseInt(count), matcher.group("host")));
      } else if (!line.isEmpty()) {
        problems.add(
            "--hosts: %s, line %d: expected an address or name, such as '10.0.0.1' or '10.0.0.1 slots=4', found '%s'"
                .formatted(where, i + 1, line));
      }
    }
    if (problems.isEmpty() && slots.size() < 2) {
      problems.add(
          "--hosts: %s: expected at least 2 slots, for a master and a worker, found %d"
              .formatted(where, slots.size()));
    }
    UsageException.expectNone(problems);
    return slots;
  }
}
