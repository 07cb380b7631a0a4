package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.onednn.SampleSequences;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page's module of PyTorch computes what the network computes; skipped without PyTorch. */
@Tag("system")
@Timeout(300)
class TorchModuleTest {
  private static final Path PAGE = Path.of("../docs/how-to/read-runs-in-python.md");
  private static final Pattern PROGRAM = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);
  private static final int EXAMPLES = 3;

  /** Prints the loss of the windows in a file, which has tokens and then labels. */
  private static final String LOSS =
      """
      rows = torch.from_numpy(np.fromfile("text.bin", ">i4").astype("i8")).view(2, 3, -1)
      print(F.cross_entropy(model(rows[0]).flatten(0, 1), rows[1].flatten()).item())
      """;

  @TempDir Path directory;

  @Tag("lab")
  @ParameterizedTest
  @CsvSource({"'gpt:4,4,32,16', 16", "'gpt:2,4,24,16,bias', 9"})
  void theModuleOfThePageHasTheSameLoss(String network, int window) throws Exception {
    DataSet data = SampleSequences.data(EXAMPLES, window, 65, ModelSeeds.of(4));
    double loss;
    try (GradientSource source = Networks.open(network, data)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      // Larger ones, so that each layer shows.
      for (int i = 0; i < parameters.length; i++) {
        parameters[i] = 5 * parameters[i] + 0.1f * (i % 7);
      }
      int[] all = IntStream.range(0, EXAMPLES).toArray();
      loss = source.evaluate(parameters, all, 0, EXAMPLES).loss();
      write(source, parameters);
    }
    write(data, window);
    // The loss of a guess is 4.2; float's rounding is 6e-8 of it per operation.
    assertEquals(loss, Double.parseDouble(run()), 1e-4);
  }

  /** As {@code amb export} writes it, whose own test reads the format. */
  private void write(GradientSource source, float[] parameters) throws IOException {
    String tensors =
        source.layout().blocks().stream()
            .map(TorchModuleTest::entry)
            .collect(Collectors.joining(",", "{\"__metadata__\":{\"step\":\"1\"},", "}"));
    byte[] header = tensors.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file =
        ByteBuffer.allocate(8 + header.length + 4 * parameters.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header).asFloatBuffer().put(parameters);
    Files.write(directory.resolve("gpt.safetensors"), file.array());
  }

  private static String entry(Block block) {
    return "\"%s\":{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
        .formatted(
            block.name(), Arrays.toString(block.shape()), 4 * block.offset(), 4 * block.end());
  }

  private void write(DataSet data, int window) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(2 * EXAMPLES * window * Integer.BYTES);
    float[] tokens = new float[window];
    int[] labels = new int[window];
    for (int i = 0; i < EXAMPLES; i++) {
      data.test().copyFeatures(i, tokens);
      data.test().copyLabels(i, labels);
      for (int j = 0; j < window; j++) {
        text.putInt(4 * (i * window + j), (int) tokens[j]);
        text.putInt(4 * ((EXAMPLES + i) * window + j), labels[j]);
      }
    }
    Files.write(directory.resolve("text.bin"), text.array());
  }

  private String run() throws IOException, InterruptedException {
    String program =
        PROGRAM
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .filter(found -> found.contains("class Gpt"))
            .map(found -> found.replaceAll("(?m)^(```.*|print.*)$", ""))
            .collect(Collectors.joining());
    assertTrue(program.contains("heads=4"));
    String python = TorchProcess.python();
    assumeTrue(python != null, "no Python has torch");
    Path errors = directory.resolve("stderr");
    Process process =
        new ProcessBuilder(python, "-c", program + LOSS)
            .directory(directory.toFile())
            .redirectError(errors.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> said + read(errors));
    return said;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
