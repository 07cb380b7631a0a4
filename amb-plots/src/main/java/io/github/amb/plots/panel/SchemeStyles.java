package io.github.amb.plots.panel;

import io.github.amb.plots.run.RunGroup;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The style of each group of runs. A scheme has one color in all figures that compare schemes.
 * Groups of the same scheme differ in dashes. Where the scheme is the same everywhere, groups
 * differ in color too.
 */
final class SchemeStyles {
  /** Schemes by the number of their style: those that are compared most have the most colors. */
  private static final List<String> SCHEMES =
      List.of(
          "fmb",
          "amb",
          "async",
          "esync",
          "k-sync",
          "amb-dg",
          "local-sgd",
          "coded",
          "ssp",
          "dcasgd",
          "fmb-dg",
          "diloco",
          "anytime-sgd");

  /** Number of styles; those of a color are {@link #COLORS} apart. */
  static final int COUNT = 42;

  static final int COLORS = 7;

  private SchemeStyles() {}

  /** Numbers of styles, one per group's scheme; all differ as long as there are enough. */
  static List<Integer> of(List<String> schemes) {
    if (schemes.stream().distinct().count() == 1) {
      return IntStream.range(0, schemes.size()).boxed().toList();
    }
    Integer[] styles = new Integer[schemes.size()];
    Set<Integer> used = new HashSet<>();
    Map<String, Integer> first = new HashMap<>();
    for (int i = 0; i < styles.length; i++) {
      String scheme = schemes.get(i);
      if (!first.containsKey(scheme)) {
        int known = SCHEMES.indexOf(scheme);
        styles[i] = free(known < 0 ? SCHEMES.size() : known, 1, used);
        used.add(styles[i]);
        first.put(scheme, styles[i]);
      }
    }
    for (int i = 0; i < styles.length; i++) {
      if (styles[i] == null) {
        styles[i] = free(first.get(schemes.get(i)), COLORS, used);
        used.add(styles[i]);
      }
    }
    return Arrays.asList(styles);
  }

  /** A style that no line of some panels has, as long as there is one. */
  static int unused(List<Content> contents) {
    Set<Integer> used = new HashSet<>();
    contents.forEach(content -> content.series().forEach(line -> used.add(line.style())));
    return free(used.size(), 1, used);
  }

  static String scheme(RunGroup group) {
    String scheme = group.runs().get(0).info().configured("scheme", "");
    return scheme.equals("sync") ? "fmb" : scheme;
  }

  /** The first free style at a distance, else any that is free, else the first. */
  private static int free(int first, int distance, Set<Integer> used) {
    return IntStream.concat(
            IntStream.range(0, COUNT).map(i -> first + i * distance), IntStream.range(0, COUNT))
        .map(style -> style % COUNT)
        .filter(style -> !used.contains(style))
        .findFirst()
        .orElse(first);
  }
}
