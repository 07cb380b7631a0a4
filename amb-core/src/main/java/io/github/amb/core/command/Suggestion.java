package io.github.amb.core.command;

import java.util.Collection;
import java.util.Comparator;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** "Did you mean" for names that are not known. */
public final class Suggestion {
  private Suggestion() {}

  /**
   * Completes an error message about an unknown name.
   *
   * @param found the name as typed
   * @param known the names that would have been right
   * @return {@code ", did you mean 'x'?"} if a known name is near, else {@code "; expected one of
   *     …"}
   */
  public static String forName(String found, Collection<String> known) {
    var distance = LevenshteinDistance.getDefaultInstance();
    int near = Math.max(1, (found.length() + 1) / 3);
    return known.stream()
        .filter(name -> distance.apply(found, name) <= near || isStart(found, name))
        .min(Comparator.comparing(name -> distance.apply(found, name)))
        .map(name -> ", did you mean '" + name + "'?")
        .orElseGet(() -> "; expected one of " + String.join(", ", known));
  }

  private static boolean isStart(String found, String name) {
    return found.length() > 2 && name.startsWith(found);
  }
}
