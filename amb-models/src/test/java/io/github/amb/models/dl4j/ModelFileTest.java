package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.linalg.api.ndarray.INDArray;

class ModelFileTest {
  private static final int EXAMPLES = 16;

  /** DL4J alone gives the loss that our evaluation gives, and the file names no class of ours. */
  @ParameterizedTest
  @CsvSource({"toy, toy-conv", "toy, toy-fc", "digits, mnist-cnn"})
  void dl4jComputesTheSameLoss(String dataSet, String network, @TempDir Path directory)
      throws IOException {
    DataSet data = DataSets.load(dataSet, null, 3);
    Path file = directory.resolve("model.zip");
    Evaluation expected;
    float[] parameters;
    int[] examples = new int[EXAMPLES];
    Arrays.setAll(examples, i -> i);
    try (GradientSource source = Networks.open(network, data)) {
      parameters = new float[source.layout().size()];
      source.initialize(5, parameters);
      expected = source.evaluate(parameters, examples, 0, EXAMPLES);
    }
    Networks.architecture(Networks.named(network), NetworkOptions.USUAL, data.form())
        .write(parameters, file);
    assertEquals(expected.loss(), loss(file, data, examples), 1e-4);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      byte[] json = zip.getInputStream(zip.getEntry("configuration.json")).readAllBytes();
      assertTrue(!new String(json).contains("io.github.amb"));
    }
  }

  private static double loss(Path file, DataSet data, int[] examples) throws IOException {
    MultiLayerNetwork read = ModelSerializer.restoreMultiLayerNetwork(file.toFile(), false);
    try (Batch batch = new Batch(data, isFlat(read, data), new SoftmaxLoss(data.classes()))) {
      Batch.Slice slice = batch.fill(data.test(), null, examples, 0, EXAMPLES);
      INDArray output = read.output(slice.input());
      double sum = 0;
      for (int i = 0; i < EXAMPLES; i++) {
        sum -= Math.log(output.getDouble(i, data.test().label(i)));
      }
      return sum / EXAMPLES;
    } finally {
      read.close();
    }
  }

  private static boolean isFlat(MultiLayerNetwork network, DataSet data) {
    var layer = network.getLayerWiseConfigurations().getConf(0).getLayer();
    return layer instanceof org.deeplearning4j.nn.conf.layers.DenseLayer;
  }
}
