package io.github.amb.runtime.launch;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the launcher tells a rank on its standard input: to form a new world with others.
 *
 * @param number of the epoch
 * @param rank of the receiver in the new world
 * @param members lasting numbers of the new world's ranks, by rank
 * @param configuration what MPJ Express takes for one
 */
record EpochOrder(int number, int rank, List<Integer> members, String configuration) {
  private static final Pattern LINE = Pattern.compile("epoch (\\d{1,9}) (\\d{1,6}) ([\\d,]+) (.+)");

  /** The order in a line, or null if it is none. */
  static EpochOrder parse(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return null;
    }
    List<Integer> members =
        Arrays.stream(matcher.group(3).split(",")).map(Integer::valueOf).toList();
    return new EpochOrder(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        members,
        matcher.group(4));
  }

  /** One line, as {@link #parse} reads it. */
  @Override
  public String toString() {
    String all = members.stream().map(String::valueOf).collect(Collectors.joining(","));
    return "epoch " + number + " " + rank + " " + all + " " + configuration;
  }
}
