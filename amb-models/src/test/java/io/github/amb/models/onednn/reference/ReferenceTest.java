package io.github.amb.models.onednn.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.onednn.SampleNetworks;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference itself, next to differences of its losses. */
@Tag("system")
class ReferenceTest {
  private static final int EXAMPLES = 3;
  private static final double STEP = 0x1p-17;

  /**
   * Of central differences with step h = 2⁻¹⁷ along unit vectors: they miss the slope by the third
   * derivative times h² / 6 ≈ 1e-11, and the rounding of two losses by 2⁻⁵³ · loss · terms / h ≈
   * 1e-8 with 1e3 terms one after the other. Directions that cross a kink are drawn again, and a
   * point with none that does not is left out.
   */
  private static final double TOLERANCE = 1e-6;

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.github.amb.models.onednn.SampleNetworks#all")
  void gradientsAreCentralDifferences(String name, Architecture network) {
    Map<String, Integer> compared = new TreeMap<>();
    for (long seed = 0; seed < 3; seed++) {
      Random random = new Random(ModelSeeds.of(seed));
      DataSet data = SampleNetworks.data(EXAMPLES, ModelSeeds.of(seed));
      try (var layers = new Dl4jGradientSource(network, data)) {
        Layout layout = layers.layout();
        double[] point = point(layers, random);
        Reference reference = new Reference(network, layout);
        for (Block block : layout.blocks()) {
          if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
            compared.merge(
                block.name(), isCompared(reference, point, data, block, random), Math::max);
          }
        }
      }
    }
    assertFalse(compared.containsValue(0), compared.toString());
  }

  private static double[] point(Dl4jGradientSource source, Random random) {
    float[] initial = new float[source.layout().size()];
    source.initialize(random.nextLong(), initial);
    double[] point = new double[initial.length];
    for (int i = 0; i < point.length; i++) {
      point[i] = initial[i] + 0.05 * random.nextGaussian();
    }
    return point;
  }

  /** 1 if a slope was compared, 0 if the point is at a kink in all directions tried. */
  private static int isCompared(
      Reference reference, double[] point, DataSet data, Block block, Random random) {
    var here = reference.train(point, data, 0, new int[] {EXAMPLES}, null);
    for (int trial = 0; trial < 20; trial++) {
      double[] direction = direction(block, point.length, random);
      var ahead = loss(reference, point, direction, STEP, data);
      var behind = loss(reference, point, direction, -STEP, data);
      if (ahead.pattern() == here.pattern() && behind.pattern() == here.pattern()) {
        double slope = (ahead.loss() - behind.loss()) / (2 * STEP);
        assertEquals(dot(here.gradient(), direction), slope, TOLERANCE, block.toString());
        return 1;
      }
    }
    return 0;
  }

  /** A unit vector within a block. */
  private static double[] direction(Block block, int size, Random random) {
    double[] direction = new double[size];
    for (int i = block.offset(); i < block.end(); i++) {
      direction[i] = (random.nextBoolean() ? 1 : -1) / Math.sqrt(block.length());
    }
    return direction;
  }

  private static Reference.Outcome loss(
      Reference reference, double[] point, double[] direction, double step, DataSet data) {
    double[] moved = point.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] += step * direction[i];
    }
    return reference.loss(moved, data, 0, EXAMPLES);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
