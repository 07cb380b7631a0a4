package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.figure.LineStyle;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemeStylesTest {
  @TempDir Path folder;
  private int runs;

  private RunGroup group(String scheme) {
    Path place = folder.resolve(Integer.toString(runs++));
    return new RunGroup(scheme, List.of(RunReader.read(new ExampleRun(scheme).write(place))));
  }

  private List<Integer> styles(String... schemes) {
    return SchemeStyles.of(
        Arrays.stream(schemes).map(this::group).map(SchemeStyles::scheme).toList());
  }

  private static List<Object> color(int style) {
    return List.of(LineStyle.color(style));
  }

  @Test
  void thereAreAsManyStylesAsLines() {
    assertEquals(LineStyle.COUNT, SchemeStyles.COUNT);
    assertEquals(LineStyle.COLORS, SchemeStyles.COLORS);
  }

  @Test
  void aSchemeHasOneStyleInAllFigures() {
    List<Integer> two = styles("amb", "fmb");
    assertEquals(two.get(0), styles("sync", "async", "amb").get(2));
    assertEquals(two.get(1), styles("sync", "async", "amb").get(0));
  }

  @Test
  void groupsOfASchemeHaveItsColorAndOtherDashes() {
    List<Integer> styles = styles("amb", "fmb", "amb", "amb");
    assertEquals(color(styles.get(0)), color(styles.get(2)));
    assertEquals(color(styles.get(0)), color(styles.get(3)));
    assertEquals(4, new HashSet<>(styles).size());
  }

  @Test
  void manyGroupsDiffer() {
    String[] many = new String[LineStyle.COUNT];
    Arrays.setAll(many, i -> i % 3 == 0 ? "amb" : i % 3 == 1 ? "fmb" : "of-a-plugin");
    assertEquals(LineStyle.COUNT, new HashSet<>(styles(many)).size());
  }
}
