package io.github.amb.models.device;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The compute capability of a GPU, such as 8.6, which determines the code that it can run. */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})");

  /**
   * Parses {@code MAJOR.MINOR}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  static ComputeCapability parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    return new ComputeCapability(
        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  @Override
  public int compareTo(ComputeCapability other) {
    return Comparator.comparingInt(ComputeCapability::major)
        .thenComparingInt(ComputeCapability::minor)
        .compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
