package io.github.amb.bench.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.data.example.Examples;
import io.github.amb.models.network.Networks;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class NoiseDataTest {
  private static final int EXAMPLES = 20;

  /** A language model cannot read pixels: its benchmark failed with them. */
  @Test
  void languageModelGetsTokensAndTheNextOnes() {
    var network = Networks.summary("gpt:1,1,8,16");
    Examples noise = NoiseData.of(network, EXAMPLES).train();
    BitSet seen = new BitSet();
    for (int example = 0; example < EXAMPLES; example++) {
      float[] tokens = new float[16];
      noise.copyFeatures(example, tokens);
      int[] next = new int[noise.positions()];
      noise.copyLabels(example, next);
      for (float token : tokens) {
        assertEquals((int) token, token);
        assertTrue(token >= 0 && token < network.classes(), () -> "token " + token);
        seen.set((int) token);
      }
      for (int place = 0; place < 15; place++) {
        assertEquals(tokens[place + 1], next[place]);
      }
      assertEquals(next[0], noise.label(example));
    }
    assertTrue(seen.cardinality() > 20, () -> "tokens seen: " + seen);
  }

  @Test
  void imagesHaveAllClasses() {
    var network = Networks.summary("lenet");
    Examples noise = NoiseData.of(network, EXAMPLES).train();
    int[] labels = new int[EXAMPLES];
    Arrays.setAll(labels, noise::label);
    assertEquals(network.classes(), Arrays.stream(labels).distinct().count());
    assertArrayEquals(new int[] {0, 1}, Arrays.copyOf(labels, 2));
  }
}
