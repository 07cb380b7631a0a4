package io.github.amb.models.python;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.Validation;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocol with a worker that needs no PyTorch. */
class PythonProtocolTest {
  private static final Path WORKER = Path.of("src/test/python/linear_worker.py");
  private static final int SIZE = 5;
  private static final int COUNT = 700;
  private static final int CLASSES = 3;

  /** Sums of at most 700 products of float arguments, each below 100, rounded to floats. */
  private static final double RELATIVE = 1e-5;

  @TempDir Path directory;

  private Path file;

  @BeforeAll
  static void thereIsPython() throws InterruptedException {
    boolean found;
    try {
      found = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "no python3");
  }

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("mine.py"), "");
  }

  private NetworkDefinition network(String options) {
    return Networks.named(
        "python:%s,python=%s%s".formatted(file, WORKER.toAbsolutePath(), options));
  }

  private static DataSet data() {
    Random random = new Random(ModelSeeds.of(3));
    float[] features = new float[COUNT * SIZE];
    byte[] labels = new byte[COUNT];
    IntStream.range(0, features.length).forEach(i -> features[i] = (float) random.nextGaussian());
    IntStream.range(0, COUNT).forEach(i -> labels[i] = (byte) random.nextInt(CLASSES));
    var all = new FloatExamples(features, labels);
    return new DataSet("sample", new ImageShape(1, 1, SIZE), CLASSES, all, all);
  }

  private static GradientSource open(NetworkDefinition network, DataSet data) {
    return Networks.open(network, NetworkOptions.USUAL, data);
  }

  private static double error(DataSet data, float[] parameters, int example, float[] x) {
    data.train().copyFeatures(example, x);
    double error = parameters[SIZE] - data.train().label(example);
    for (int i = 0; i < SIZE; i++) {
      error += (double) parameters[i] * x[i];
    }
    return error;
  }

  @Test
  void blocksAndFirstParametersAreThoseOfTheWorker() {
    try (GradientSource source = open(network(""), data())) {
      List<Block> blocks = source.layout().blocks();
      assertEquals("[w[5], b[]]", blocks.toString());
      assertEquals(Block.Kind.BIAS, blocks.get(1).kind());
      float[] parameters = new float[SIZE + 1];
      source.initialize(3, parameters);
      assertArrayEquals(new float[] {3, 3, 3, 3, 3, 0.5f}, parameters);
    }
  }

  /** The second partition needs more memory than the first. */
  @Test
  void gradientsAreSumsOverPartitions() {
    DataSet data = Validation.of(data(), 0.1, 1);
    float[] parameters = {0.1f, -0.2f, 0.3f, 0.4f, -0.5f, 0.6f};
    int[] batch = IntStream.range(0, data.train().count()).map(i -> i * 11 % 630).toArray();
    double[] expected = new double[SIZE + 1];
    double expectedLoss = 0;
    float[] x = new float[SIZE];
    for (int example : batch) {
      double error = error(data, parameters, example, x);
      expectedLoss += error * error;
      for (int i = 0; i < SIZE; i++) {
        expected[i] += 2 * error * x[i];
      }
      expected[SIZE] += 2 * error;
    }
    try (GradientSource source = open(network(""), data)) {
      float[] gradient = new float[SIZE + 1];
      for (int repetition = 0; repetition < 2; repetition++) {
        source.begin(parameters, 1);
        double loss = source.accumulate(batch, 0, 7);
        loss += source.accumulate(batch, 7, 7);
        loss += source.accumulate(batch, 7, batch.length);
        source.finish(gradient);
        assertEquals(expectedLoss, loss, RELATIVE * expectedLoss);
        for (int i = 0; i < expected.length; i++) {
          assertEquals(expected[i], gradient[i], RELATIVE * expectedLoss);
        }
      }
      source.begin(parameters, 1);
      source.finish(gradient);
      assertArrayEquals(new float[SIZE + 1], gradient);
    }
  }

  @Test
  void scoresAreMeansOverSlices() {
    DataSet data = data();
    float[] parameters = {0.1f, 0.2f, 0.3f, 0.1f, 0.2f, 1};
    int[] all = IntStream.range(0, COUNT).toArray();
    float[] x = new float[SIZE];
    double loss = 0;
    int right = 0;
    for (int example : all) {
      double error = error(data, parameters, example, x);
      loss += error * error / COUNT;
      right += Math.abs(error) < 0.5 ? 1 : 0;
    }
    try (GradientSource source = open(network(""), data)) {
      Evaluation found = source.evaluate(parameters, all, 0, COUNT);
      assertEquals(loss, found.loss(), RELATIVE * loss);
      assertEquals((double) right / COUNT, found.accuracy(), 1e-12);
      assertEquals(COUNT, found.examples());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "die, exit code 7; its last lines: first line | out of luck",
    "kill, killed by signal 9",
    "garbage, a reply of at most 4194304 bytes",
    "no-json, a reply in JSON",
    "no-object, a JSON object",
    "no-number, a number as loss",
    "cut, exit code 0"
  })
  void aFaultIsOneErrorAndEndsTheProcess(String fault, String expected) {
    assertFault("fault=" + fault, expected);
  }

  /** The limit is one of the start, too, which takes long on a busy machine. */
  @Tag("system")
  @Test
  void aProcessThatHangsIsEndedAfterItsLimit() {
    assertFault("fault=hang,seconds=10", "an answer within 10 s");
  }

  private void assertFault(String options, String expected) {
    Set<Long> before = children();
    try (GradientSource source = open(network("," + options), data())) {
      source.begin(new float[SIZE + 1], 1);
      var thrown =
          assertThrows(
              PythonProcess.PythonException.class, () -> source.accumulate(new int[] {0, 1}, 0, 2));
      String message = thrown.getMessage();
      assertTrue(message.contains(expected), message);
      assertTrue(message.startsWith("network python:" + file + ": "), message);
      assertFalse(message.contains("\n"), message);
      assertEquals(Set.of(), added(before));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hello-version, expected version 1",
    "hello-protocol, expected protocol amb-gradients",
    "hello-kind, blocks with name",
    "hello-shape, at most 2^31",
    "hello-empty, a module with parameters",
    "hello-die, exit code 7"
  })
  void aWorkerThatDoesNotFitIsRejected(String fault, String expected) {
    Set<Long> before = children();
    DataSet data = data();
    NetworkDefinition network = network(",fault=" + fault);
    var thrown = assertThrows(UsageException.class, () -> Networks.check(network, data));
    assertTrue(thrown.getMessage().contains(expected), thrown.getMessage());
    assertEquals(Set.of(), added(before));
  }

  @Test
  void aMissingProgramOrFileIsNamed() {
    DataSet data = data();
    NetworkDefinition none = Networks.named("python:" + file + ",python=" + directory);
    var thrown = assertThrows(UsageException.class, () -> Networks.check(none, data));
    assertTrue(thrown.getMessage().contains("'" + directory + "'"), thrown.getMessage());
    NetworkDefinition other = Networks.named("python:" + file + ".json");
    thrown = assertThrows(UsageException.class, () -> Networks.check(other, data));
    assertTrue(thrown.getMessage().contains(file + ".json"), thrown.getMessage());
  }

  @Test
  void checkAndSourceNeedOneProcess() {
    Set<Long> before = children();
    DataSet data = data();
    NetworkDefinition network = network("");
    Networks.check(network, data);
    assertEquals(6, Networks.parameters(network, NetworkOptions.USUAL, data.form()));
    Set<Long> first = added(before);
    assertEquals(1, first.size());
    try (GradientSource source = open(network, data);
        GradientSource another = open(network, data)) {
      assertEquals(6, source.layout().size() + 0 * another.layout().size());
      Set<Long> both = added(before);
      assertTrue(both.containsAll(first));
      assertEquals(2, both.size());
    }
    assertEquals(Set.of(), added(before));
  }

  @Test
  void theFilesChecksumIsRecorded() {
    assertEquals(Set.of(file.toString()), Networks.checksums("python:" + file).keySet());
  }

  private static Set<Long> children() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().isPresent())
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  private static Set<Long> added(Set<Long> before) {
    Set<Long> found = children();
    found.removeAll(before);
    return found;
  }
}
