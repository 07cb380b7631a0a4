package io.github.amb.runtime.runs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.train.TrainCommand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import onnx.Onnx.ModelProto;
import onnx.Onnx.StringStringEntryProto;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

class ExportCommandTest {
  @TempDir static Path directory;
  private static Path run;
  private static Checkpoint last;

  @BeforeAll
  static void train() throws Exception {
    run = directory.resolve("run");
    String command = "toy fmb rms 8 --workers 0 --last-step 3 --run-directory " + run;
    assertEquals(0, new TrainCommand().run(Arrays.asList(command.split(" "))));
    last = new CheckpointDirectory(run.resolve("checkpoints"), Origin.ANY).open(3);
  }

  private static Path export(String format, String... more) throws Exception {
    Path file = directory.resolve(format + more.length);
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(run.toString(), "--format", format, "--output", file.toString()));
    arguments.addAll(List.of(more));
    assertEquals(0, new ExportCommand().run(arguments));
    return file;
  }

  private static float[] block(int index) throws Exception {
    var block = last.manifest().layout().blocks().get(index);
    return Arrays.copyOfRange(last.parameters(), block.offset(), block.end());
  }

  @Test
  void anotherReaderReadsTheArchive() throws Exception {
    var arrays = Nd4j.createFromNpzFile(export("npz").toFile());
    var blocks = last.manifest().layout().blocks();
    assertEquals(blocks.size(), arrays.size());
    for (int i = 0; i < blocks.size(); i++) {
      INDArray array = arrays.get(blocks.get(i).name());
      assertArrayEquals(
          Arrays.stream(blocks.get(i).shape()).asLongStream().toArray(), array.shape());
      assertArrayEquals(block(i), array.ravel().toFloatVector());
    }
  }

  @Test
  void safetensorsAreAsTheFormatSays() throws Exception {
    ByteBuffer file =
        ByteBuffer.wrap(Files.readAllBytes(export("safetensors"))).order(ByteOrder.LITTLE_ENDIAN);
    byte[] header = new byte[(int) file.getLong()];
    file.get(header);
    JsonNode json = JsonMapper.builder().build().readTree(header);
    assertEquals("3", json.get("__metadata__").get("step").asText());
    ByteBuffer data = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    int i = 0;
    for (var block : last.manifest().layout().blocks()) {
      JsonNode tensor = json.get(block.name());
      assertEquals("F32", tensor.get("dtype").asText());
      assertEquals(
          Arrays.toString(block.shape()), tensor.get("shape").toString().replace(",", ", "));
      float[] values = new float[block.length()];
      data.position(tensor.get("data_offsets").get(0).asInt());
      data.asFloatBuffer().get(values);
      assertEquals(data.position() + 4 * values.length, tensor.get("data_offsets").get(1).asInt());
      assertArrayEquals(block(i++), values);
    }
  }

  /** Its computations are tested by OnnxModelTest. */
  @Test
  void anOnnxModelHasTheCheckpoint() throws Exception {
    ModelProto model = ModelProto.parseFrom(Files.readAllBytes(export("onnx")));
    Map<String, String> facts =
        model.getMetadataPropsList().stream()
            .collect(
                Collectors.toMap(StringStringEntryProto::getKey, StringStringEntryProto::getValue));
    assertEquals("run", facts.get("run"));
    assertEquals("3", facts.get("step"));
    assertEquals("10 classes", facts.get("classes"));
    assertEquals("toy-conv", facts.get("network"));
    var weights = model.getGraph().getInitializer(0);
    assertEquals("conv1.bias", weights.getName());
    for (int i = 0; i < block(0).length; i++) {
      assertEquals(block(0)[i], weights.getFloatData(i));
    }
  }

  /** Its computations are tested by TorchModuleTest. */
  @Test
  void aModuleOfPytorchHasTheCheckpoint() throws Exception {
    Path folder = export("pytorch");
    String code = Files.readString(folder.resolve("model.py"));
    assertTrue(code.startsWith("# {classes=10 classes, data-set=toy, "), code);
    var arrays = Nd4j.createFromNpzFile(folder.resolve("weights.npz").toFile());
    assertArrayEquals(block(0), arrays.get("conv1.bias").ravel().toFloatVector());
    assertEquals(last.manifest().layout().blocks().size(), arrays.size());
    assertMessage("found the existing", "--format", "pytorch", "--output", folder.toString());
  }

  @Test
  void aLayerThatOnlyDl4jHasIsNamed() throws Exception {
    Path network = directory.resolve("mish.json");
    String json = Networks.json("toy-fc").replace("ActivationReLU", "ActivationMish");
    Files.writeString(network, json);
    Path trained = directory.resolve("mish");
    String command =
        "toy fmb rms 8 --workers 0 --last-step 1 --network %s --run-directory %s"
            .formatted(network, trained);
    assertEquals(0, new TrainCommand().run(Arrays.asList(command.split(" "))));
    Path file = directory.resolve("mish.onnx");
    List<String> arguments =
        List.of(trained.toString(), "--format", "onnx", "--output", file.toString());
    var error = assertThrows(UsageException.class, () -> new ExportCommand().run(arguments));
    assertTrue(error.getMessage().contains("layers that oneDNN computes"), error.getMessage());
  }

  @Test
  void dl4jReadsItsModel() throws Exception {
    var model = ModelSerializer.restoreMultiLayerNetwork(export("dl4j").toFile());
    assertArrayEquals(last.parameters(), model.params().toFloatVector());
    model.close();
  }

  /** Residual connections make it a graph; its normalisation has running statistics. */
  @Test
  void dl4jReadsAGraph() throws Exception {
    Path trained = directory.resolve("graph");
    String command =
        "digits fmb rms 8 --network resnet32 --workers 0 --last-step 1 --evaluate last --test-size 8"
            + " --run-directory "
            + trained;
    assertEquals(0, new TrainCommand().run(Arrays.asList(command.split(" "))));
    Path file = directory.resolve("graph.zip");
    List<String> export =
        List.of(trained.toString(), "--format", "dl4j", "--output", file.toString());
    assertEquals(0, new ExportCommand().run(export));
    var graph = ModelSerializer.restoreComputationGraph(file.toFile());
    Checkpoint checkpoint =
        new CheckpointDirectory(trained.resolve("checkpoints"), Origin.ANY).open(1);
    assertArrayEquals(checkpoint.parameters(), graph.params().toFloatVector());
    graph.close();
  }

  /** What the run was trained on is gone, and only run.json tells how large its network is. */
  @Test
  void noDataAreNeeded() throws Exception {
    Path data = directory.resolve("data.csv");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      rows.append(i % 2).append(",1".repeat(100)).append('\n');
    }
    Files.writeString(data, rows);
    Path trained = directory.resolve("own");
    String command =
        data + " fmb rms 4 --network toy-fc --workers 0 --last-step 1 --run-directory " + trained;
    assertEquals(0, new TrainCommand().run(Arrays.asList(command.split(" "))));
    Files.delete(data);
    for (String format : ExportFormats.ALL.names()) {
      Path file = directory.resolve("own." + format);
      List<String> export =
          List.of(trained.toString(), "--format", format, "--output", file.toString());
      assertEquals(0, new ExportCommand().run(export));
      assertTrue(Files.size(file) > 0);
    }
    Files.move(last.path(), trained.resolve("checkpoints/step-000000003"));
    try {
      List<String> export = List.of(trained.toString(), "--checkpoint", "3");
      var error = assertThrows(UsageException.class, () -> new ExportCommand().run(export));
      assertTrue(
          error.getMessage().contains("parameters, as the run's network has, found"),
          error.getMessage());
    } finally {
      Files.move(trained.resolve("checkpoints/step-000000003"), last.path());
    }
  }

  @Test
  void theBestParametersAreThoseThatWereTestedBest() throws Exception {
    Path best = export("safetensors", "--checkpoint", "best");
    assertTrue(Files.size(best) > 4L * last.parameters().length);
  }

  @Test
  void whatIsWrongIsNamed() {
    assertMessage("unknown format 'keras'", "--format", "keras");
    assertMessage("--checkpoint: expected last, best or a step of [", "--checkpoint", "99");
    assertMessage("expected last, best or a step", "--checkpoint", "first");
    assertMessage("expected a new file, found the existing", "--output", run.toString());
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    assertMessage("expected a file in an existing directory", "--output", directory + "/nowhere/x");
  }

  /** And the one before is exported in its place, as long as none is asked for. */
  @Test
  void aCheckpointOfAnotherNetworkIsRejected() throws Exception {
    Path other = directory.resolve("other");
    String command =
        "digits fmb rms 8 --network lenet --workers 0 --last-step 9 --evaluate last --test-size 8"
            + " --run-directory "
            + other;
    assertEquals(0, new TrainCommand().run(Arrays.asList(command.split(" "))));
    Path foreign = run.resolve("checkpoints/step-000000009");
    Files.move(other.resolve("checkpoints/step-000000009"), foreign);
    try {
      assertMessage(
          "expected " + last.parameters().length + " parameters, as the run's network has, found",
          "--checkpoint",
          "9");
      assertTrue(Files.size(export("npz", "--checkpoint", "last")) > 0);
    } finally {
      Files.move(foreign, other.resolve("foreign"));
    }
  }

  private static void assertMessage(String part, String... more) {
    List<String> arguments = new java.util.ArrayList<>(List.of(run.toString()));
    arguments.addAll(List.of(more));
    var error = assertThrows(UsageException.class, () -> new ExportCommand().run(arguments));
    assertTrue(error.getMessage().contains(part), error.getMessage());
  }
}
