package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.dl4j.SavedArchitecture;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

class SavedNetworkTest {
  private static final DataSet TOY = DataSets.load("toy", null, 1);
  private static final DataSet DIGITS = DataSets.load("digits", null, 1);

  @TempDir Path folder;

  /** A user's network, with an update rule, a penalty and mean scores of its own. */
  private static MultiLayerNetwork users() {
    var configuration =
        new NeuralNetConfiguration.Builder()
            .seed(5)
            .updater(new Adam(0.1))
            .l2(0.5)
            .list()
            .layer(new DenseLayer.Builder().nIn(100).nOut(7).activation(Activation.TANH).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(7)
                    .nOut(10)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build();
    var network = new MultiLayerNetwork(configuration);
    network.init();
    return network;
  }

  private static float[] gradient(GradientSource source, float[] parameters, double[] loss) {
    float[] gradient = new float[parameters.length];
    source.begin(parameters, 1);
    loss[0] = source.accumulate(IntStream.range(0, 8).toArray(), 0, 8);
    source.finish(gradient);
    return gradient;
  }

  @Test
  void aSavedModelStartsFromItsParameters() throws IOException {
    Path file = folder.resolve("model.zip");
    MultiLayerNetwork network = users();
    network.save(file.toFile());
    float[] saved = network.params().toFloatVector();
    network.close();
    try (GradientSource source = Networks.open(file.toString(), TOY)) {
      float[] parameters = new float[saved.length];
      source.initialize(99, parameters);
      assertArrayEquals(saved, parameters);
    }
  }

  /** By Deeplearning4j, as oneDNN looks at neither setting. */
  @Test
  void aSavedModelsLossIsASumWithoutItsPenalty() throws IOException {
    Path file = folder.resolve("model.zip");
    MultiLayerNetwork network = users();
    network.save(file.toFile());
    network.close();
    DataSet same = new DataSet("same", TOY.shape(), TOY.classes(), TOY.train(), TOY.train());
    Architecture read = SavedArchitecture.read(file, TOY.shape());
    try (GradientSource source = new Dl4jGradientSource(read, same)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(99, parameters);
      double[] loss = new double[1];
      gradient(source, parameters, loss);
      double mean = source.evaluate(parameters, IntStream.range(0, 8).toArray(), 0, 8).loss();
      assertEquals(8 * mean, loss[0], 1e-4 * loss[0]);
    }
  }

  @Test
  void savedParametersThatAreNotFiniteAreRejected() throws IOException {
    Path file = folder.resolve("model.zip");
    MultiLayerNetwork network = users();
    network.params().putScalar(3, Float.NaN);
    network.save(file.toFile());
    network.close();
    assertEquals(
        file + ": coefficients.bin, parameter 3: expected a finite number, found NaN",
        problem(file, TOY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"constraints\" : [{\"@class\" : \"org.deeplearning4j.nn.conf.constraint.NonNegativeConstraint\", \"params\" : [\"W\"]}]",
        "\"hasLayerNorm\" : true",
        "\"minimize\" : false",
        "\"backpropType\" : \"TruncatedBPTT\"",
        "\"softmaxClipEps\" : 0.1",
        "\"swish\" : 2"
      })
  void aFieldWithoutEffectIsRejectedByName(String field) throws IOException {
    String name = field.substring(0, field.indexOf(' '));
    String json = Networks.json("mlp");
    String edited =
        json.contains(name)
            ? json.replaceFirst(name + " : [^,\\n]+", Matcher.quoteReplacement(field))
            : json.replaceFirst("\"nin\"", field + ", \"nin\"");
    assertNotEquals(json, edited);
    Path file = Files.writeString(folder.resolve("edited.json"), edited);
    String problem = problem(file, TOY);
    assertTrue(problem.startsWith(file + ": "), problem);
    assertTrue(problem.contains("found " + name.replace("\"", "")), problem);
  }

  /** The master has its own. A network without them, as this program writes it, has no note. */
  @Test
  void whatIsTheMastersPartIsNoted() throws IOException {
    Path file = folder.resolve("model.json");
    Files.writeString(file, users().getLayerWiseConfigurations().toJson());
    String note = note(file);
    assertTrue(note.startsWith(file + ": Adam, L2Regularization of this file"), note);
    String json = Files.readString(file);
    Files.writeString(
        file,
        json.replace(
            "\"gradientNormalization\" : \"None\"",
            "\"gradientNormalization\" : \"ClipL2PerLayer\""));
    assertTrue(note(file).contains("ClipL2PerLayer"), note(file));
    assertEquals("", note(Files.writeString(file, Networks.json("toy-conv"))));
  }

  private static String note(Path file) {
    return Networks.note(Networks.named(file.toString()), NetworkOptions.USUAL, TOY.form());
  }

  /** As of version 0.9.1, whose layers have no class names; DL4J's message has the remedy. */
  @Test
  void aFileOfAnOldVersionIsRejectedWithDl4jsRemedy() throws IOException {
    String old =
        users()
            .getLayerWiseConfigurations()
            .toJson()
            .replaceAll("\"@class\" : \"org.deeplearning4j.nn.conf.layers.DenseLayer\",", "")
            .replaceAll("\"@class\" : \"org.deeplearning4j.nn.conf.layers.OutputLayer\",", "");
    Path file = Files.writeString(folder.resolve("old.json"), old);
    String problem = problem(file, TOY);
    assertTrue(problem.contains("expected a network as DL4J writes it"), problem);
    assertTrue(problem.contains("saved again"), problem);
    assertEquals(1, problem.lines().count());
  }

  @Test
  void anOutputThatIsNoneIsRejectedByActivationAndLoss() throws IOException {
    String json = users().getLayerWiseConfigurations().toJson();
    Path file = folder.resolve("other.json");
    Files.writeString(file, json.replace("ActivationSoftmax", "ActivationTanH"));
    String problem = problem(file, TOY);
    assertTrue(problem.matches("(?is).*tanh.*mcxent.*"), problem);
    Files.writeString(
        file,
        json.replaceAll(
            "(?s)\"lossFn\" : \\{.*?\\}",
            "\"lossFn\" : {\"@class\" : \"org.nd4j.linalg.lossfunctions.impl.LossMAE\"}"));
    problem = problem(file, TOY);
    assertTrue(problem.matches("(?is).*softmax.*mae.*"), problem);
  }

  @Test
  void filesOfOtherProgramsAreRejectedWithARemedy() {
    for (String file : List.of("m.h5", "m.keras", "m.pt")) {
      String problem = assertThrows(UsageException.class, () -> Networks.named(file)).getMessage();
      assertTrue(problem.contains(file) && problem.contains("ModelSerializer"), problem);
    }
  }

  @Test
  void jsonOfANetworkIsThatNetwork() throws IOException {
    for (String network : new String[] {"toy-conv", "resnet18"}) {
      Path file = Files.writeString(folder.resolve("network.json"), Networks.json(network));
      DataSet data = network.equals("toy-conv") ? TOY : null;
      if (data != null) {
        Networks.check(Networks.named(file.toString()), data);
        try (GradientSource one = Networks.open(file.toString(), data);
            GradientSource other = Networks.open(network, data)) {
          float[] parameters = new float[one.layout().size()];
          one.initialize(3, parameters);
          double[] loss = new double[1];
          assertArrayEquals(gradient(other, parameters, loss), gradient(one, parameters, loss), 0f);
        }
      } else {
        String problem =
            assertThrows(
                    UsageException.class,
                    () -> Networks.check(Networks.named(file.toString()), DIGITS))
                .getMessage();
        assertTrue(problem.contains("layer conv0 expects 3 inputs, found 1"), problem);
      }
    }
  }

  /** A file of version 0.1.0, with layers that have since been replaced by DL4J's own. */
  @Test
  void layersOfEarlierVersionsAreRead() throws Exception {
    var resource = SavedNetworkTest.class.getResource("mnist-cnn-with-earlier-layers.json");
    String text = Files.readString(Path.of(resource.toURI()));
    assertTrue(text.contains("io.github.amb.models.dl4j.PoolingRelu"));
    Path file = Files.writeString(folder.resolve("earlier.json"), text);
    Networks.check(Networks.named(file.toString()), DIGITS);
    try (GradientSource earlier = Networks.open(file.toString(), DIGITS);
        GradientSource now = Networks.open("mnist-cnn", DIGITS)) {
      assertEquals(now.layout().blocks().toString(), earlier.layout().blocks().toString());
      float[] parameters = new float[now.layout().size()];
      now.initialize(3, parameters);
      double[] loss = new double[1];
      assertArrayEquals(gradient(now, parameters, loss), gradient(earlier, parameters, loss), 0f);
    }
  }

  @Test
  void whatDoesNotFitIsRejectedInOneLine() throws IOException {
    Path file = folder.resolve("model.json");
    Files.writeString(file, users().getLayerWiseConfigurations().toJson());
    Networks.check(Networks.named(file.toString()), TOY);
    String problem = problem(file, DIGITS);
    assertTrue(problem.contains("expects 100 inputs, found 784"), problem);
    assertTrue(problem.contains("examples of 1x28x28"), problem);
    Files.writeString(file, "{\"confs\": 3}");
    assertTrue(problem(file, TOY).contains("expected a network as DL4J writes it"));
    assertEquals(1, problem(file, TOY).lines().count());
    Files.writeString(file, "{\"a\": 1}");
    assertTrue(problem(file, TOY).contains("found neither 'confs'"), problem(file, TOY));
    assertTrue(
        assertThrows(
                UsageException.class,
                () ->
                    Networks.checkOptions(
                        Networks.named(file.toString()),
                        new NetworkOptions(Norm.GROUP, null, null, null, null)))
            .getMessage()
            .startsWith(
                "--norm: expected a network that 'amb models' lists with it, found " + file));
    Path zip = Files.writeString(folder.resolve("model.zip"), "no zip");
    assertTrue(problem(zip, TOY).contains("cannot be read"));
    assertTrue(
        assertThrows(
                UsageException.class,
                () -> Networks.checkOptions(Networks.named("missing.json"), NetworkOptions.USUAL))
            .getMessage()
            .contains("found none at missing.json"));
  }

  private static String problem(Path file, DataSet data) {
    return assertThrows(
            UsageException.class, () -> Networks.check(Networks.named(file.toString()), data))
        .getMessage();
  }

  private Path archive(String configuration, byte[] parameters) throws IOException {
    Path file = folder.resolve("bomb.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("configuration.json"));
      zip.write(configuration.getBytes(StandardCharsets.UTF_8));
      zip.putNextEntry(new ZipEntry("coefficients.bin"));
      zip.write(parameters);
    }
    return file;
  }

  @Test
  void aConfigurationOverTheLimitIsRejected() throws IOException {
    String spaces = " ".repeat(DataLimits.NETWORK_JSON_BYTES);
    String expected =
        "expected a network as DL4J writes it of at most %d bytes, found"
            .formatted(DataLimits.NETWORK_JSON_BYTES);
    Path json = Files.writeString(folder.resolve("bomb.json"), spaces + "{}");
    assertTrue(problem(json, TOY).startsWith(json + ": " + expected), problem(json, TOY));
    Path zip = archive(spaces + "{}", new byte[0]);
    assertEquals(zip + ": configuration.json: " + expected + " more", problem(zip, TOY));
  }

  /** ND4J would make room for as many as the header says. */
  @Test
  void moreParametersThanTheLimitAreRejected() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeUTF("LONG_SHAPE");
    out.writeLong(8);
    out.writeUTF("LONG");
    out.write(new byte[64]);
    out.writeUTF("LONG_SHAPE");
    out.writeLong(1L << 40);
    out.writeUTF("FLOAT");
    Path zip = archive(users().getLayerWiseConfigurations().toJson(), bytes.toByteArray());
    String problem = problem(zip, TOY);
    assertTrue(problem.startsWith(zip + ": coefficients.bin: expected at most"), problem);
    assertTrue(problem.endsWith("found 1099511627776 of FLOAT"), problem);
  }

  @Test
  void outputsForOtherClassesAreRejected() throws IOException {
    Path file = folder.resolve("model.json");
    Files.writeString(file, users().getLayerWiseConfigurations().toJson());
    DataSet more = new DataSet("more", TOY.shape(), 11, TOY.train(), TOY.test());
    assertTrue(problem(file, more).contains("has 10 outputs, found 11 classes"));
  }
}
