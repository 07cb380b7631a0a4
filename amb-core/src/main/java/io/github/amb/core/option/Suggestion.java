package io.github.amb.core.option;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggests known names in place of an unknown one. */
public final class Suggestion {
  private Suggestion() {}

  /**
   * The end of an error message about an unknown name.
   *
   * @param found the name as typed
   * @param known the valid names
   * @return {@code ", did you mean 'x'?"} if a valid name is similar, otherwise {@code "; expected
   *     one of …"}
   */
  public static String forName(String found, Collection<String> known) {
    int near = Math.max(1, (found.length() + 1) / 3);
    return known.stream()
        .filter(name -> distance(found, name) <= near || isStart(found, name))
        .min(
            Comparator.comparing(
                    (String name) -> distance(found, name) > 1 && !isStart(found, name))
                .thenComparing(name -> distance(found, name)))
        .map(name -> ", did you mean '" + name + "'?")
        .orElseGet(() -> "; expected one of " + String.join(", ", known));
  }

  /**
   * Passes for a known name.
   *
   * @param problem start of the message, such as {@code "--format: unknown format"}
   * @throws UsageException if the name is not known
   */
  public static void expectKnown(String problem, String found, Collection<String> known) {
    if (!known.contains(found)) {
      throw new UsageException("%s '%s'%s", problem, found, forName(found, known));
    }
  }

  /** Letters to change; two neighbors that changed places count as one. */
  private static int distance(String found, String name) {
    return isTransposed(found, name)
        ? 1
        : LevenshteinDistance.getDefaultInstance().apply(found, name);
  }

  private static boolean isTransposed(String found, String name) {
    int first = Arrays.mismatch(found.toCharArray(), name.toCharArray());
    return first >= 0
        && first + 1 < found.length()
        && found.length() == name.length()
        && found.charAt(first) == name.charAt(first + 1)
        && found.charAt(first + 1) == name.charAt(first)
        && found.substring(first + 2).equals(name.substring(first + 2));
  }

  private static boolean isStart(String found, String name) {
    return found.length() > 2 && name.startsWith(found);
  }
}
