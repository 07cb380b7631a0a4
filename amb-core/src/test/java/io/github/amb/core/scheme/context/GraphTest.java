package io.github.amb.core.scheme.context;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphTest {
  /** Digits of the numbers that were computed elsewhere, by numpy's eigenvalues. */
  private static final double DIGITS = 0.5e-4;

  private static final Graph ICLR = Graph.of("amb-iclr-10", 10);

  @TempDir Path folder;

  private static double[] mixed(Graph graph, double[] vector, int rounds) {
    double[] mixed = vector;
    for (int round = 0; round < rounds; round++) {
      mixed = graph.mix(mixed);
    }
    return mixed;
  }

  private static double deviation(double[] vector) {
    double mean = Arrays.stream(vector).average().orElseThrow();
    return Math.sqrt(Arrays.stream(vector).map(v -> (v - mean) * (v - mean)).sum());
  }

  private static double[] numbers(int count) {
    return IntStream.range(0, count).asDoubleStream().toArray();
  }

  @Test
  void weightsOfTheGraphOfThePaper() {
    double[] diagonal = IntStream.range(0, 10).mapToDouble(i -> ICLR.weight(i, i)).toArray();
    assertArrayEquals(
        new double[] {.4905, .1429, .6571, .2905, .8333, .1667, .6071, .4071, .6333, .2905},
        diagonal,
        DIGITS);
    assertEquals(.8884, ICLR.lambda2(), DIGITS);
  }

  @Test
  void roundsOfTheGraphOfThePaper() {
    assertArrayEquals(
        new double[] {2.7762, 4, 2.0571, 3.6476, 4.1667, 4.8333, 5.5357, 5.0929, 7.7, 5.1905},
        mixed(ICLR, numbers(10), 1),
        DIGITS);
    assertArrayEquals(
        new double[] {
          4.5399, 4.3274, 3.6754, 4.1604, 4.4613, 4.6795, 4.6089, 4.4380, 5.2984, 4.8108
        },
        mixed(ICLR, numbers(10), 5),
        DIGITS);
  }

  @ParameterizedTest
  @CsvSource({"0, 9.0830", "1, 4.7200", "5, 1.2689", "10, .4200", "20, .0982"})
  void deviationOfTheGraphOfThePaper(int rounds, double expected) {
    double found = deviation(mixed(ICLR, numbers(10), rounds));
    assertEquals(expected, found, DIGITS);
    assertTrue(found <= 9.0831 * Math.pow(.8885, rounds));
  }

  @ParameterizedTest
  @CsvSource({"3", "4", "7", "24"})
  void lambdaOfRings(int nodes) {
    double expected = (1 + 2 * Math.cos(2 * Math.PI / nodes)) / 3;
    assertEquals(expected, Graph.of("ring", nodes).lambda2(), 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "5"})
  void lambdaOfHypercubes(int dimension) {
    double expected = 1 - 2.0 / (dimension + 1);
    assertEquals(expected, Graph.of("hypercube", 1 << dimension).lambda2(), 1e-6);
  }

  /** That of a ring of three has the weight ⅕ for each of two neighbors, and so for a row. */
  @Test
  void lambdaOfATorus() {
    double ring = 1 + 2 * (Math.cos(2 * Math.PI / 5) - 1) / 5;
    assertEquals(ring, Graph.of("torus", 15).lambda2(), 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "9"})
  void oneRoundOfACompleteGraphIsTheMean(int nodes) {
    Graph graph = Graph.of("complete", nodes);
    assertEquals(0, graph.lambda2(), 1e-12);
    assertEquals(0, deviation(graph.mix(numbers(nodes))), 1e-12);
  }

  @Property(tries = 100)
  void weightsAreSymmetricAndDoublyStochastic(
      @ForAll @IntRange(min = 1, max = 20) int nodes,
      @ForAll @IntRange(min = 1, max = 100) int percent,
      @ForAll @IntRange int seed) {
    Graph graph = Graph.of("er:%s:%d".formatted(percent / 100.0, Math.abs((long) seed)), nodes);
    for (int i = 0; i < nodes; i++) {
      double row = 0;
      for (int j = 0; j < nodes; j++) {
        assertTrue(graph.weight(i, j) >= 0);
        assertEquals(graph.weight(i, j), graph.weight(j, i), 1e-15);
        row += graph.weight(i, j);
      }
      assertEquals(1, row, 1e-12);
    }
    assertEquals(graph.isConnected(), graph.lambda2() < 1 - 1e-6);
  }

  /** |λ| of (I + W) / 2 is (1 + λ₂) / 2, as all eigenvalues of it are positive. */
  @Property(tries = 50)
  void deviationFallsAsTheEigenvalueSays(
      @ForAll @IntRange(min = 2, max = 20) int nodes, @ForAll long seed) {
    Random random = new Random(seed);
    Graph graph = Graph.of("er:0.5:" + random.nextInt(1000), nodes);
    double[] vector = random.doubles(nodes).toArray();
    double start = deviation(vector);
    double lambda = (1 + graph.lambda2()) / 2;
    for (int round = 1; round < 20; round++) {
      double[] mixed = graph.mix(vector);
      for (int i = 0; i < nodes; i++) {
        vector[i] = (vector[i] + mixed[i]) / 2;
      }
      assertTrue(deviation(vector) <= start * Math.pow(lambda + 1e-6, round) + 1e-12);
    }
  }

  @Test
  void nodesAreRemovedWithTheirEdges() {
    Graph rest = Graph.of("ring", 5).keeping(0, 1, 3, 4);
    assertArrayEquals(new int[] {1, 3}, rest.neighbors(0));
    assertArrayEquals(new int[] {0}, rest.neighbors(1));
    assertArrayEquals(new int[] {3}, rest.neighbors(2));
    assertTrue(rest.isConnected());
    Graph parts = Graph.of("ring", 5).keeping(0, 1, 3);
    assertFalse(parts.isConnected());
    assertEquals(BitSet.valueOf(new long[] {0b11}), parts.reached(0));
  }

  @Test
  void randomGraphsAreTheSameEveryTime() {
    Graph first = Graph.of("er:0.5", 12);
    Graph second = Graph.of("er:0.5:1", 12);
    Graph other = Graph.of("er:0.5:2", 12);
    boolean differs = false;
    for (int node = 0; node < 12; node++) {
      assertArrayEquals(first.neighbors(node), second.neighbors(node));
      differs |= !Arrays.equals(first.neighbors(node), other.neighbors(node));
    }
    assertTrue(differs);
  }

  @Test
  void filesHaveEdgesOfRanks() throws IOException {
    Path file = folder.resolve("edges");
    Files.writeString(file, "# a path\n1 2\n\n2\t3 # the second edge\n");
    Graph graph = Graph.of(file.toString(), 3);
    assertArrayEquals(new int[] {0, 2}, graph.neighbors(1));
    assertArrayEquals(new int[] {1}, graph.neighbors(2));
  }

  @ParameterizedTest
  @CsvSource({"1 4", "1", "1 1", "0 2", "a 2", "1 2 3"})
  void wrongEdgesAreNamedByTheirLine(String edge) throws IOException {
    Path file = folder.resolve("edges");
    Files.writeString(file, "1 2\n" + edge + "\n");
    var wrong = assertThrows(UsageException.class, () -> Graph.of(file.toString(), 3));
    assertTrue(wrong.getMessage().contains("edges, line 2: expected"), wrong.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "torus, 7",
    "torus, 8",
    "hypercube, 6",
    "amb-iclr-10, 9",
    "er, 3",
    "er:0, 3",
    "er:1.1, 3",
    "er:0.5:x, 3",
    "er:0.5:1:2, 3",
    "rings, 3"
  })
  void whatIsNoGraphIsRejected(String text, int nodes) {
    var wrong = assertThrows(UsageException.class, () -> Graph.of(text, nodes));
    assertTrue(wrong.getMessage().contains("--graph"), wrong.getMessage());
  }
}
