package io.github.amb.core.codec.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TopSelectionTest {
  @Property(tries = 300)
  void exactIsWhatSortingGives(@ForAll @Size(min = 1, max = 60) float[] values, @ForAll int draw) {
    float[] coarse = values.clone();
    for (int i = 0; i < coarse.length; i++) {
      coarse[i] = draw % 2 == 0 ? Math.round(coarse[i]) % 5 : coarse[i];
    }
    int k = Math.floorMod(draw, coarse.length + 1);
    TopSelection selection = new TopSelection(coarse.length);
    selection.exact(coarse, 0, k);
    int[] expected =
        IntStream.range(0, coarse.length)
            .boxed()
            .sorted(Comparator.comparing((Integer i) -> -Math.abs(coarse[i])))
            .limit(k)
            .mapToInt(i -> i)
            .sorted()
            .toArray();
    assertArrayEquals(expected, Arrays.copyOf(selection.indices(), selection.count()));
  }

  @Test
  void samplingSelectsAboutAsMany() {
    float[] values = CodecSamples.laplace(200_000, 1);
    TopSelection selection = new TopSelection(values.length);
    selection.sampled(values, 0, 2000);
    assertTrue(
        selection.count() >= 0.8 * 2000 && selection.count() <= 1.3 * 2000,
        () -> "count " + selection.count());
    float smallest = Float.MAX_VALUE;
    float[] rest = values.clone();
    for (int i = 0; i < selection.count(); i++) {
      smallest = Math.min(smallest, Math.abs(values[selection.indices()[i]]));
      rest[selection.indices()[i]] = 0;
    }
    for (float left : rest) {
      assertTrue(Math.abs(left) <= smallest);
    }
  }

  @Test
  void samplingOfAlmostOnlyZerosSelectsAsManyAsAsked() {
    float[] values = new float[200_000];
    values[77] = 1;
    TopSelection selection = new TopSelection(values.length);
    selection.sampled(values, 0, 2000);
    assertEquals(2000, selection.count());
    assertTrue(Arrays.stream(selection.indices(), 0, 2000).anyMatch(i -> i == 77));
  }
}
