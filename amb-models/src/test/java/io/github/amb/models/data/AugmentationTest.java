package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.network.Networks;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class AugmentationTest {
  private static final ImageShape SHAPE = new ImageShape(2, 7, 6);
  private static final DataSet DATA = data();

  /** One image whose pixels are 1, 2, 3 and so on. */
  private static DataSet data() {
    float[] image = new float[SHAPE.size()];
    for (int i = 0; i < image.length; i++) {
      image[i] = i + 1;
    }
    var examples = new FloatExamples(image, new byte[] {1});
    return new DataSet("one", SHAPE, 2, examples, examples);
  }

  /** The image moved so that pixel (y, x) is what was at (y + down, x + right), by hand. */
  private static float[] moved(int down, int right, boolean mirrored) {
    float[] result = new float[SHAPE.size()];
    for (int i = 0; i < result.length; i++) {
      int y = i / 6 % 7 + down;
      int x = (mirrored ? 5 - i % 6 : i % 6) + right;
      result[i] = y < 0 || y > 6 || x < 0 || x > 5 ? 0 : i / 42 * 42 + y * 6 + x + 1;
    }
    return result;
  }

  private static Map<String, Integer> draws(Augmentation augmentation, int count) {
    Examples train = augmentation.of(DATA).train();
    UniformRandomProvider random = new Streams(ModelSeeds.of(3)).stream("test", 0, 0);
    Map<String, Integer> counts = new HashMap<>();
    float[] image = new float[SHAPE.size()];
    for (int i = 0; i < count; i++) {
      train.drawFeatures(0, random, image);
      counts.merge(Arrays.toString(image), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void imagesAreMirroredHalfTheTime() {
    Map<String, Integer> counts = draws(Augmentation.named("flip"), 10_000);
    assertEquals(2, counts.size());
    // Six standard deviations of a binomial distribution: one run of 5e8 is beyond.
    assertEquals(5_000, counts.get(Arrays.toString(moved(0, 0, true))), 300);
    assertTrue(counts.containsKey(Arrays.toString(moved(0, 0, false))));
  }

  @Test
  void everyShiftIsEquallyLikely() {
    Map<String, Integer> counts = draws(Augmentation.named("crop"), 81_000);
    assertEquals(81, counts.size());
    // Seven standard deviations, √(1000 · 80/81) each: one of 81 is beyond in one run of 5e9.
    for (int down = -4; down <= 4; down++) {
      for (int right = -4; right <= 4; right++) {
        assertEquals(1_000, counts.get(Arrays.toString(moved(down, right, false))), 220);
      }
    }
    // 81 shifts of an image and of its mirror image; one is not drawn in one run of 1e215.
    assertEquals(162, draws(Augmentation.named("crop,flip"), 81_000).size());
  }

  @Test
  void testImagesAreNotAugmented() {
    assertSame(DATA, Augmentation.named("none").of(DATA));
    DataSet augmented = Augmentation.named("crop,flip").of(DATA);
    assertSame(DATA.test(), augmented.test());
    float[] image = new float[SHAPE.size()];
    augmented.train().copyFeatures(0, image);
    assertArrayEquals(moved(0, 0, false), image);
    assertEquals(1, augmented.train().label(0));
  }

  @Test
  void whatIsNoImageIsRejected() {
    var rows = new FloatExamples(new float[12], new byte[2]);
    var vectors = new DataSet("vectors", new ImageShape(1, 1, 6), 2, rows, rows);
    String problem =
        assertThrows(UsageException.class, () -> Augmentation.named("flip").of(vectors))
            .getMessage();
    assertTrue(problem.contains("found examples of 1x1x6 in data set 'vectors'"), problem);
    assertThrows(UsageException.class, () -> Augmentation.named("crops"));
  }

  /** The changes of a step are a function of its seed, whatever was done before. */
  @Test
  void gradientsFollowTheDrawSeed() {
    DataSet digits = Augmentation.named("crop").of(DataSets.load("digits", null, ModelSeeds.of(1)));
    try (GradientSource one = Networks.open("sigmoid-mlp", digits);
        GradientSource other = Networks.open("sigmoid-mlp", digits)) {
      float[] parameters = new float[one.layout().size()];
      one.initialize(ModelSeeds.of(1), parameters);
      gradient(one, parameters, 4);
      float[] first = gradient(one, parameters, 5);
      assertArrayEquals(first, gradient(other, parameters, 5));
      assertTrue(!Arrays.equals(first, gradient(one, parameters, 6)));
    }
  }

  private static float[] gradient(GradientSource source, float[] parameters, long drawSeed) {
    float[] gradient = new float[parameters.length];
    source.begin(parameters, drawSeed);
    source.accumulate(new int[] {0, 1, 2, 3}, 0, 2);
    source.accumulate(new int[] {0, 1, 2, 3}, 2, 4);
    source.finish(gradient);
    return gradient;
  }
}
