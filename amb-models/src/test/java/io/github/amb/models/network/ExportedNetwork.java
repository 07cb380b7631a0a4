package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.InitialParameters;
import io.github.amb.models.dl4j.Loss;
import io.github.amb.models.export.PortableNetwork;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.onednn.OneDnnGradientSource;
import io.github.amb.models.onednn.SampleNetworks;
import io.github.amb.models.onednn.SampleSequences;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A network for other programs, with what oneDNN computes of some examples.
 *
 * @param shape of the input of all examples
 * @param input the examples, row-major
 */
record ExportedNetwork(
    PortableNetwork network, int[] shape, float[] input, float[] outputs, float[] predictions) {
  /**
   * Of the largest output. A sum of n rounded products is off by about √n 2⁻²⁴ (Higham and Mary,
   * 2019), which is 4e-6 for the 4,608 terms of the longest one, for each of two programs.
   */
  private static final double TOLERANCE = 1e-5;

  /** The rounding of a function of exact outputs. */
  private static final double ROUNDING = 0x1p-22;

  private static final int CLASSES = 10;

  /** One network for each kind of layer and output, by name. */
  static Stream<Arguments> samples() {
    return Stream.of(
            SampleNetworks.all(),
            SampleSequences.all(),
            Stream.of(
                Arguments.of("mean with padding", withMean()),
                Arguments.of("maximum of negative values", withMaximum()),
                Arguments.of("patches", SampleSequences.patches()),
                Arguments.of("sigmoid", withLoss(Loss.XENT)),
                Arguments.of("softplus", withLoss(Loss.POISSON)),
                Arguments.of("identity", withLoss(Loss.MSE))))
        .flatMap(all -> all);
  }

  private static Architecture withMean() {
    var mean =
        new SubsamplingLayer.Builder(PoolingType.AVG)
            .kernelSize(3, 3)
            .stride(2, 2)
            .convolutionMode(ConvolutionMode.Same)
            .avgPoolIncludePadInDivisor(true)
            .build();
    return SampleNetworks.images(
        SampleNetworks.convolution("conv1", 4, ConvolutionMode.Same, 2, 3), mean);
  }

  /** Windows at the edge have one value of the input, which may be negative. */
  private static Architecture withMaximum() {
    return SampleNetworks.images(SampleNetworks.pooling(PoolingType.MAX, ConvolutionMode.Same, 2));
  }

  private static Architecture withLoss(Loss loss) {
    Targets targets = loss == Loss.XENT ? Targets.LABELS : Targets.NUMBERS;
    var shape = new ImageShape(3, 9, 7);
    return Networks.definition("mlp:20,10")
        .architecture(new Requirements(shape, CLASSES, Norm.NONE, targets, loss));
  }

  /** One of the networks of {@link #samples}. */
  static ExportedNetwork sample(Architecture network) {
    boolean tokens = network.input().channels() == 1;
    long seed = ModelSeeds.of(7);
    return of(network, tokens ? SampleSequences.data(5, seed) : SampleNetworks.data(5, seed));
  }

  /** One that {@code amb models} lists, of images, or of texts if there are no channels. */
  static ExportedNetwork listed(String network, String norm, int channels, int side) {
    DataSet data =
        channels == 0
            ? SampleSequences.data(4, side, 65, ModelSeeds.of(9))
            : TorchGradientTest.data(new ImageShape(channels, side, side), 6);
    var needs = new Requirements(data.shape(), data.classes(), Norm.named(norm));
    return of(Networks.definition(network).architecture(needs), data);
  }

  private static ExportedNetwork of(Architecture network, DataSet data) {
    try (OneDnnGradientSource source = OneDnnGradientSource.of(network, data).orElseThrow()) {
      float[] parameters = new float[source.layout().size()];
      initialize(source, parameters);
      float[][] examples = new float[data.test().count()][network.input().size()];
      float[] input = new float[examples.length * network.input().size()];
      for (int i = 0; i < examples.length; i++) {
        data.test().copyFeatures(i, examples[i]);
        System.arraycopy(examples[i], 0, input, i * examples[i].length, examples[i].length);
      }
      var portable = PortableNetwork.of(network, parameters, Map.of("run", "one\n\"two\""));
      Shape shape = portable.graph().input();
      int[] sizes =
          shape.isVector()
              ? new int[] {examples.length, shape.channels()}
              : new int[] {examples.length, shape.channels(), shape.height(), shape.width()};
      source.use(parameters);
      float[] outputs = source.outputs(examples);
      return new ExportedNetwork(portable, sizes, input, outputs, source.predictions(examples));
    }
  }

  private static void initialize(OneDnnGradientSource source, float[] parameters) {
    TorchGradientTest.initialize(source, ModelSeeds.of(3), parameters);
    Random random = new Random(ModelSeeds.of(4));
    for (Block block : source.layout().blocks()) {
      boolean statistic = block.kind() == Block.Kind.RUNNING_STATISTIC;
      for (int i = block.offset(); statistic && i < block.end(); i++) {
        parameters[i] += 0.1f * (float) random.nextGaussian();
      }
    }
  }

  /**
   * Compares the network of its file, and what it starts from. A variance is as near as rounding of
   * its logarithm lets it be.
   */
  void compareRead(Path file) {
    Shape shape = network.graph().input();
    ImageShape image =
        shape.isVector()
            ? new ImageShape(1, 1, shape.channels())
            : new ImageShape(shape.channels(), shape.height(), shape.width());
    Architecture read = OnnxNetwork.read(file, new Requirements(image, CLASSES, Norm.NONE));
    assertEquals(network.layers(), read.toJson());
    float[] parameters = new float[network.layout().size()];
    InitialParameters.draw(read, 1, parameters);
    float[] values = PortableNetwork.of(read, parameters, Map.of()).values();
    for (Block block : network.layout().blocks()) {
      boolean variance = block.name().endsWith("running_var");
      for (int i = block.offset(); i < block.end(); i++) {
        double expected = network.values()[i];
        double rounding = variance ? 1e-6 * expected : 0;
        assertEquals(expected, values[i], rounding, block.name());
      }
    }
  }

  /** The input as tokens. */
  long[] tokens() {
    long[] tokens = new long[input.length];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = (long) input[i];
    }
    return tokens;
  }

  /** Whether the input has tokens. */
  boolean takesTokens() {
    return network.facts().get("input").endsWith("tokens");
  }

  /** Compares what another program computes. No prediction changes more than an output does. */
  void compare(String program, float[] otherOutputs, float[] otherPredictions) {
    double largest = largest(outputs, new float[outputs.length]);
    compare(program, TOLERANCE * largest, outputs, otherOutputs);
    compare(program, TOLERANCE * largest + ROUNDING, predictions, otherPredictions);
  }

  private static void compare(String program, double limit, float[] expected, float[] found) {
    assertEquals(expected.length, found.length);
    double difference = largest(expected, found);
    assertTrue(
        difference <= limit,
        () -> "%s: difference %.2g, at most %.2g".formatted(program, difference, limit));
  }

  /** The largest difference; infinite if a value is no number. */
  private static double largest(float[] expected, float[] found) {
    double largest = 0;
    for (int i = 0; i < expected.length; i++) {
      double difference = Math.abs((double) expected[i] - found[i]);
      largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
    }
    return largest;
  }
}
