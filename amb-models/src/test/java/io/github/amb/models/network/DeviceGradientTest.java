package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.device.DeviceException;
import io.github.amb.models.device.DeviceSource;
import io.github.amb.models.device.OpenClDevice;
import io.github.amb.models.device.OpenClDevices;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.onednn.OneDnnGradientSource;
import io.github.amb.models.onednn.SampleNetworks;
import io.github.amb.models.onednn.SampleSequences;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients of all kinds of layers on an OpenCL device next to oneDNN's. The processor is such a
 * device with PoCL; skipped where there is none.
 */
class DeviceGradientTest {
  private static final int CLASSES = 10;

  /** Of each block of the gradient, of its length. */
  private static final double TOLERANCE = 1e-4;

  /**
   * Draws for which the last bits of the parameters decide more than this are replaced: a unit may
   * lie at the kink of its ReLU, or few examples of a batch have a small deviation. The largest of
   * two samples of a distance stands for all that may come, so that it is to be a quarter.
   */
  private static final double MAX_SENSITIVE = TOLERANCE / 4;

  private static final int MAX_DRAWS = 30;
  private static final float LAST_BIT = 0x1p-22f;

  private static OpenClDevices.Found found;

  @BeforeAll
  static void thereIsADevice() {
    try {
      found = OpenClDevices.list().get(0);
    } catch (DeviceException e) {
      abort(e.getMessage());
    }
  }

  /** One network for each kind of layer, on small images. */
  @ParameterizedTest
  @CsvSource({
    "mlp:30, none, 1, 6, 5",
    "toy-conv, none, 1, 10, 6",
    "cnn, group, 3, 12, 3",
    "'vit:1,2,8,4', none, 3, 8, 3"
  })
  void smallGradientsEqualOneDnns(
      String network, String norm, int channels, int side, int examples) {
    compare(network, Norm.named(norm), image(channels, side, examples));
  }

  @ParameterizedTest
  @CsvSource({"'gpt:1,2,8,6,bias', 5", "'gpt:2,3,24,20', 17"})
  void gradientsOfTextsEqualOneDnns(String network, int window) {
    compare(network, Norm.NONE, SampleSequences.data(4, window, 65, ModelSeeds.of(9)));
  }

  static Stream<Arguments> samples() {
    return SampleNetworks.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  void gradientsOfEachKindOfLayerEqualOneDnns(String name, Architecture network) {
    compare(network, SampleNetworks.data(20, ModelSeeds.of(7)));
  }

  @Tag("system")
  @ParameterizedTest
  @CsvSource({
    "logistic-regression, none, 1, 28, 6",
    "sigmoid-mlp, none, 1, 28, 6",
    "toy-fc, none, 1, 10, 6",
    "lenet, none, 1, 28, 6",
    "mnist-cnn, batch, 1, 28, 12",
    "adacomp-cnn, none, 1, 28, 6",
    "cifar10-cnn, group, 3, 32, 3",
    "resnet32, batch, 3, 16, 12",
    "nano-gpt, none, 0, 64, 4"
  })
  void gradientsEqualOneDnns(String network, String norm, int channels, int side, int examples) {
    DataSet data =
        channels == 0
            ? SampleSequences.data(examples, side, 65, ModelSeeds.of(9))
            : image(channels, side, examples);
    compare(network, Norm.named(norm), data);
  }

  @Tag("claims")
  @ParameterizedTest
  @CsvSource({
    "resnet18, batch, 3, 16, 6",
    "resnet50, batch, 3, 16, 6",
    "resnet110, batch, 3, 16, 6",
    "resnet152, batch, 3, 16, 6",
    "wrn-28-2, batch, 3, 16, 6",
    "vgg11, batch, 3, 32, 6",
    "vgg13, batch, 3, 32, 6",
    "vgg16, batch, 3, 32, 6",
    "vgg19, batch, 3, 32, 6",
    "resnet18-v1, batch, 1, 64, 6",
    "resnet50-v1, batch, 1, 64, 6",
    "resnet50-v2, batch, 1, 64, 6",
    "mobilenet-v1, batch, 1, 64, 6",
    "mobilenet-v2, batch, 1, 48, 12",
    "alexnet, none, 1, 64, 3",
    "inception-v3, batch, 1, 107, 4"
  })
  void gradientsOfLargeNetworksEqualOneDnns(
      String network, String norm, int channels, int side, int examples) {
    gradientsEqualOneDnns(network, norm, channels, side, examples);
  }

  private static DataSet image(int channels, int side, int examples) {
    return TorchGradientTest.data(new ImageShape(channels, side, side), examples);
  }

  private static Architecture architecture(String network, Norm norm, DataSet data) {
    return Networks.definition(network)
        .architecture(new Requirements(data.shape(), data.classes(), norm));
  }

  private static GradientSource onDevice(Architecture architecture, DataSet data) {
    return DeviceSource.of(architecture, data, new OpenClDevice(found)).orElseThrow();
  }

  private record Sum(float[] gradient, double loss) {}

  private static Sum sum(GradientSource source, float[] parameters) {
    int examples = source.trainingExamples();
    int[] order = IntStream.range(0, examples).toArray();
    source.begin(parameters, 4);
    double loss = source.accumulate(order, 0, examples);
    float[] gradient = new float[parameters.length];
    source.finish(gradient);
    return new Sum(gradient, loss);
  }

  private static void compare(String network, Norm norm, DataSet data) {
    compare(architecture(network, norm, data), data);
  }

  private static void compare(Architecture architecture, DataSet data) {
    try (GradientSource known = OneDnnGradientSource.of(architecture, data).orElseThrow();
        GradientSource device = onDevice(architecture, data)) {
      float[] parameters = new float[known.layout().size()];
      Sum expected = clearDraw(known, parameters);
      Sum got = sum(device, parameters);
      assertEquals(expected.loss, got.loss, TOLERANCE * expected.loss);
      Layout layout = device.layout();
      for (Block block : layout.blocks()) {
        double distance = distance(block, expected.gradient, got.gradient);
        assertTrue(
            distance <= TOLERANCE, () -> "%s: distance %.2g".formatted(block.name(), distance));
      }
      assertArrayEquals(got.gradient, sum(device, parameters).gradient, 0f);
      int[] order = IntStream.range(0, data.test().count()).toArray();
      double loss = known.evaluate(parameters, order, 0, order.length).loss();
      assertEquals(
          loss, device.evaluate(parameters, order, 0, order.length).loss(), TOLERANCE * loss);
    }
  }

  private static Sum clearDraw(GradientSource known, float[] parameters) {
    for (long draw = 0; draw < MAX_DRAWS; draw++) {
      TorchGradientTest.initialize(known, ModelSeeds.of(draw), parameters);
      Sum sum = sum(known, parameters);
      if (sensitivity(known, parameters, sum) <= MAX_SENSITIVE) {
        return sum;
      }
    }
    throw new AssertionError("expected a draw for which rounding does not decide, found none");
  }

  /** The largest distance of a block when the last bits of the parameters change. */
  private static double sensitivity(GradientSource known, float[] parameters, Sum sum) {
    Random random = new Random(ModelSeeds.of(1));
    double most = 0;
    for (int sample = 0; sample < 2; sample++) {
      float[] moved = parameters.clone();
      for (int i = 0; i < moved.length; i++) {
        moved[i] *= 1 + (random.nextBoolean() ? LAST_BIT : -LAST_BIT);
      }
      float[] other = sum(known, moved).gradient;
      for (Block block : known.layout().blocks()) {
        most = Math.max(most, distance(block, sum.gradient, other));
      }
    }
    return most;
  }

  /**
   * The distance of a block, of its length, or of a hundredth of the whole gradient's: that by a
   * bias before a normalization is 0 but for rounding.
   */
  private static double distance(Block block, float[] expected, float[] found) {
    double difference = 0;
    double size = 0;
    double whole = 0;
    for (int i = 0; i < expected.length; i++) {
      double square = (double) expected[i] * expected[i];
      whole += square;
      if (i >= block.offset() && i < block.end()) {
        difference += Math.pow((double) expected[i] - found[i], 2);
        size += square;
      }
    }
    return Math.sqrt(difference / Math.max(size, 1e-4 * whole));
  }

  /** Slices of a partition have their plans, whose memory grows and is used again. */
  @Test
  void plansOfAllSizesGiveTheBitsOfAFreshSource() {
    DataSet data = image(1, 10, 9);
    Architecture architecture = architecture("toy-conv", Norm.NONE, data);
    try (GradientSource used = onDevice(architecture, data);
        GradientSource fresh = onDevice(architecture, data)) {
      float[] parameters = new float[used.layout().size()];
      TorchGradientTest.initialize(used, ModelSeeds.of(3), parameters);
      int[] order = IntStream.range(0, 9).toArray();
      for (int size = 1; size <= 9; size++) {
        used.begin(parameters, 1);
        used.accumulate(order, 0, size);
      }
      used.evaluate(parameters, order, 0, 9);
      assertArrayEquals(sum(fresh, parameters).gradient, sum(used, parameters).gradient, 0f);
    }
  }
}
