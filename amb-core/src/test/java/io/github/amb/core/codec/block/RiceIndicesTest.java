package io.github.amb.core.codec.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RiceIndicesTest {
  @Property(tries = 300)
  void anySetComesBack(@ForAll @Size(max = 50) Set<@IntRange(min = 0, max = 100_000) Integer> set) {
    int[] indices = set.stream().mapToInt(i -> i).sorted().toArray();
    assertArrayEquals(indices, pass(indices, 100_001));
  }

  private static int[] pass(int[] indices, int length) {
    ByteSink out = new ByteSink();
    RiceIndices.encode(indices, indices.length, length, out);
    ByteSource in = new ByteSource();
    in.wrap(out.bytes(), 0, out.length());
    int[] decoded = new int[indices.length];
    RiceIndices.decode(in, decoded, indices.length, length);
    assertEquals(0, in.remaining());
    return decoded;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.1, 0.01, 0.001})
  void aRandomSetTakesLittleMoreThanItsEntropy(double share) {
    int length = 1_000_000;
    var random = CodecSamples.STREAMS.stream("indices", 0, 1);
    int[] indices = IntStream.range(0, length).filter(i -> random.nextDouble() < share).toArray();
    assertArrayEquals(indices, pass(indices, length));
    ByteSink out = new ByteSink();
    RiceIndices.encode(indices, indices.length, length, out);
    double p = (double) indices.length / length;
    double entropy = -length * (p * Math.log(p) + (1 - p) * Math.log(1 - p)) / Math.log(2);
    double bits = 8.0 * out.length();
    assertTrue(bits < 1.05 * entropy, () -> bits + " bits, entropy " + entropy);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 63, 64, 65, 1000})
  void allOfThemComeBack(int length) {
    int[] indices = new int[length];
    Arrays.setAll(indices, i -> i);
    assertArrayEquals(indices, pass(indices, length));
  }
}
