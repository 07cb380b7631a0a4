package io.github.amb.models.python;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.file.Json;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worker with PyTorch, next to loops of PyTorch alone; skipped where it is not installed. */
@Tag("lab")
class TorchWorkerTest {
  private static final Path EXAMPLES = Path.of("../examples/pytorch");
  private static final long SEED = -7_000_000_000L;

  @TempDir static Path folder;

  @TempDir Path directory;

  @BeforeAll
  static void torchIsInstalled() throws Exception {
    boolean found;
    try {
      found = new ProcessBuilder("python3", "-c", "import numpy, torch").start().waitFor() == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "python3 has no torch");
    StringBuilder text = new StringBuilder();
    IntStream.range(0, 4000).forEach(i -> text.append("abcdefgh ".charAt(i * i % 9)));
    Files.writeString(folder.resolve("text.txt"), text);
  }

  private static DataSet data(String name) {
    return DataSets.load(name.replace("FOLDER", folder.toString()), null, 1);
  }

  private static GradientSource open(Path file, String options, DataSet data) {
    NetworkDefinition network = Networks.named("python:" + file + options);
    return Networks.open(network, NetworkOptions.USUAL, data);
  }

  private GradientSource open(String program, DataSet data) throws IOException {
    return open(Files.writeString(directory.resolve("mine.py"), program), "", data);
  }

  /** Dropout and batch normalization in the first, attention and dropout in the second. */
  @ParameterizedTest
  @CsvSource({
    "digits_cnn.py, 'channels=5', optdigits",
    "transformer.py, 'width=24,heads=3', 'text:FOLDER/text.txt,context=20'"
  })
  void gradientsHaveTheBitsOfPyTorchsLoop(String file, String options, String name)
      throws Exception {
    DataSet data = data(name);
    int[][] partitions = {{5, 3, 8, 1, 0}, {2}, {7, 9, 4}};
    try (GradientSource source = open(EXAMPLES.resolve(file), "," + options, data)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(SEED, parameters);
      float[] gradient = new float[parameters.length];
      source.begin(new float[parameters.length], 1);
      source.accumulate(new int[] {6, 1}, 0, 2);
      source.finish(gradient); // Nothing of it is in the next sum.
      source.begin(parameters, SEED);
      double[] losses = new double[partitions.length];
      for (int i = 0; i < partitions.length; i++) {
        losses[i] = source.accumulate(partitions[i], 0, partitions[i].length);
      }
      source.finish(gradient);
      List<Block> trained = trained(source);
      write(data, parameters, trained, partitions, options, 10);
      runOwn(EXAMPLES.resolve(file));
      float[] expected = floats("gradient.bin");
      assertArrayEquals(bits(expected), bits(select(gradient, trained)));
      double scale = data.text() == null ? 1 : data.train().positions();
      List<String> found = Files.readAllLines(directory.resolve("losses.txt"));
      for (int i = 0; i < losses.length; i++) {
        double loss = Double.parseDouble(found.get(i));
        assertEquals(loss, losses[i], scale == 1 ? 0 : Math.ulp((float) loss));
      }
    }
  }

  private static int[] bits(float[] values) {
    return IntStream.range(0, values.length).map(i -> Float.floatToRawIntBits(values[i])).toArray();
  }

  private static List<Block> trained(GradientSource source) {
    return source.layout().blocks().stream()
        .filter(block -> block.kind() != Block.Kind.RUNNING_STATISTIC)
        .toList();
  }

  private static float[] select(float[] vector, List<Block> blocks) {
    float[] some = new float[blocks.stream().mapToInt(Block::length).sum()];
    int end = 0;
    for (Block block : blocks) {
      System.arraycopy(vector, block.offset(), some, end, block.length());
      end += block.length();
    }
    return some;
  }

  /** Writes a job of {@code own_loop.py} with the first {@code count} examples. */
  void write(
      DataSet data,
      float[] parameters,
      List<Block> blocks,
      int[][] partitions,
      String options,
      int count)
      throws IOException {
    var shape = data.shape();
    ByteBuffer features = buffer(count * shape.size());
    int positions = data.train().positions();
    ByteBuffer labels = buffer(count * positions);
    float[] one = new float[shape.size()];
    int[] classes = new int[positions];
    for (int i = 0; i < count; i++) {
      data.train().copyFeatures(i, one);
      data.train().copyLabels(i, classes);
      IntStream.range(0, one.length).forEach(j -> features.putFloat(one[j]));
      Arrays.stream(classes).forEach(labels::putInt);
    }
    Files.write(directory.resolve("features.bin"), features.array());
    Files.write(directory.resolve("labels.bin"), labels.array());
    float[] vector = select(parameters, blocks);
    ByteBuffer bytes = buffer(vector.length);
    IntStream.range(0, vector.length).forEach(i -> bytes.putFloat(vector[i]));
    Files.write(directory.resolve("parameters.bin"), bytes.array());
    Map<String, Integer> chosen = new HashMap<>();
    for (String option : options.split(",")) {
      chosen.put(option.split("=")[0], Integer.valueOf(option.split("=")[1]));
    }
    Map<String, Object> job =
        Map.of(
            "shape",
            List.of(shape.channels(), shape.height(), shape.width()),
            "classes",
            data.classes(),
            "text",
            data.text() != null,
            "options",
            chosen,
            "seed",
            SEED,
            "partitions",
            partitions);
    Files.writeString(directory.resolve("job.json"), Json.line(job));
  }

  private static ByteBuffer buffer(int entries) {
    return ByteBuffer.allocate(4 * entries).order(ByteOrder.LITTLE_ENDIAN);
  }

  private float[] floats(String name) throws IOException {
    var bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
    var values = bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    float[] found = new float[values.limit()];
    values.get(found);
    return found;
  }

  ProcessBuilder own(Path file) {
    String program = "src/test/python/own_loop.py";
    return new ProcessBuilder("python3", program, file.toString(), directory.toString());
  }

  private void runOwn(Path file) throws Exception {
    Process process = own(file).redirectErrorStream(true).start();
    process.outputWriter().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  /** A sum's update, divided by its examples, moves the statistics as PyTorch would. */
  @Test
  void runningStatisticsMoveAsInPyTorch() throws Exception {
    String program =
        """
        import torch
        def model(form):
            norm = torch.nn.BatchNorm1d(64, momentum=0.25)
            frozen = torch.nn.Linear(64, 64)
            frozen.requires_grad_(False)
            return torch.nn.Sequential(torch.nn.Flatten(), frozen, norm, torch.nn.Linear(64, 10))
        """;
    DataSet data = data("optdigits");
    int[] batch = IntStream.range(0, 12).toArray();
    try (GradientSource source = open(program, data)) {
      List<Block> blocks = source.layout().blocks();
      assertEquals(
          "[1.weight[64, 64], 1.bias[64], 2.weight[64], 2.bias[64], 3.weight[10, 64], 3.bias[10],"
              + " 2.running_mean[64], 2.running_var[64]]",
          blocks.toString());
      List<Block> fixed =
          blocks.stream().filter(b -> b.kind() == Block.Kind.RUNNING_STATISTIC).toList();
      assertEquals(4, fixed.size());
      float[] parameters = new float[source.layout().size()];
      source.initialize(1, parameters);
      float[] gradient = new float[parameters.length];
      source.begin(parameters, 1);
      source.accumulate(batch, 0, 12);
      source.finish(gradient);
      float[] features = new float[64];
      Block weight = blocks.get(0);
      Block bias = blocks.get(1);
      Block mean = blocks.get(6);
      for (int unit = 0; unit < 64; unit++) {
        double sum = 0;
        for (int example : batch) {
          data.train().copyFeatures(example, features);
          sum += parameters[bias.offset() + unit];
          for (int i = 0; i < 64; i++) {
            sum += (double) parameters[weight.offset() + 64 * unit + i] * features[i];
          }
        }
        // 0 − 0.25 · mean, times 12 examples; a sum of 768 rounded products below 1.
        assertEquals(-0.25 * sum, gradient[mean.offset() + unit], 768 * 0x1p-23);
      }
      assertArrayEquals(new float[64 * 65], Arrays.copyOf(gradient, 64 * 65));
      assertEquals(0, parameters[mean.offset()]);
      float[] same = new float[parameters.length];
      source.initialize(1, same);
      assertArrayEquals(parameters, same);
      source.initialize(2, same);
      assertNotEquals(parameters[weight.offset()], same[weight.offset()]);
    }
  }

  @Test
  void ownDataHaveLabelsAndScores() throws Exception {
    String program =
        """
        import torch
        def part(count, shift):
            x = torch.arange(float(count)).view(count, 1) + shift
            return torch.utils.data.TensorDataset(x, (x[:, 0] % 3 == 0).long())
        def train(count=30):
            return part(count, 0)
        def test():
            return part(9, 1000)
        def model(form):
            return torch.nn.Linear(1, form.classes)
        def score(model, inputs, targets):
            return inputs.sum(), targets.sum()
        """;
    Path file = Files.writeString(directory.resolve("own.py"), program);
    DataSet data = data("python:" + file + ",count=40");
    assertEquals(40, data.train().count());
    assertEquals(2, data.classes());
    int[] labels = IntStream.range(0, 9).map(data.test()::label).toArray();
    assertArrayEquals(new int[] {0, 0, 1, 0, 0, 1, 0, 0, 1}, labels);
    NetworkDefinition network = Networks.named(Networks.defaultFor("python:" + file + ",count=40"));
    try (GradientSource source = Networks.open(network, NetworkOptions.USUAL, data)) {
      float[] parameters = new float[4];
      source.initialize(1, parameters);
      source.begin(parameters, 1);
      assertTrue(source.accumulate(new int[] {39, 3}, 0, 2) > 0);
      Evaluation found = source.evaluate(parameters, new int[] {2, 0, 8, 1}, 1, 4);
      assertEquals((1000 + 1008 + 1001) / 3.0, found.loss(), 1e-3);
      assertEquals(1 / 3.0, found.accuracy(), 1e-9);
    }
    DataSet other = data;
    UsageException thrown =
        assertThrows(UsageException.class, () -> Networks.check(Networks.named("mlp:4"), other));
    assertTrue(thrown.getMessage().contains("--network python:FILE.py"), thrown.getMessage());
    thrown = assertThrows(UsageException.class, () -> data("python:" + file + ",size=40"));
    assertTrue(thrown.getMessage().contains("options of train and test, found size"));
  }
}
