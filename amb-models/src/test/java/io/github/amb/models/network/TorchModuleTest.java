package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.gradient.Block;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.export.PortableNetwork;
import io.github.amb.models.export.TorchModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Outputs of exported networks by PyTorch next to oneDNN's; skipped without PyTorch. */
@Tag("lab")
class TorchModuleTest {
  private static final List<String> LISTED =
      List.of(
          "lenet none 1 28",
          "mnist-cnn batch 1 28",
          "cifar10-cnn batch 3 32",
          "resnet32 batch 3 16",
          "vit:2,2,16,4 none 3 16",
          "mobilenet-v2 batch 1 48",
          "resnet50-v1 batch 1 64",
          "inception-v3 batch 1 107",
          "nano-gpt none 0 64",
          "gpt:2,3,24,20,bias none 0 17");

  @TempDir Path directory;

  @TestFactory
  List<DynamicTest> networksHaveTheSameOutputs() throws Exception {
    String python = TorchProcess.python();
    assumeTrue(python != null, "no Python has torch");
    Map<String, ExportedNetwork> all = new LinkedHashMap<>();
    ExportedNetwork.samples()
        .map(sample -> sample.get())
        .forEach(s -> all.put((String) s[0], ExportedNetwork.sample((Architecture) s[1])));
    for (String listed : LISTED) {
      String[] words = listed.split(" ");
      int channels = Integer.parseInt(words[2]);
      int side = Integer.parseInt(words[3]);
      all.put(listed, ExportedNetwork.listed(words[0], words[1], channels, side));
    }
    for (ExportedNetwork exported : all.values()) {
      write(exported, Files.createDirectory(directory.resolve("n" + exported.hashCode())));
    }
    run(python);
    List<DynamicTest> tests = new ArrayList<>();
    all.forEach(
        (name, exported) -> tests.add(DynamicTest.dynamicTest(name, () -> compare(exported))));
    return tests;
  }

  private void compare(ExportedNetwork exported) throws IOException {
    Path folder = directory.resolve("n" + exported.hashCode());
    float[] outputs = read(folder.resolve("outputs.npy"));
    exported.compare("PyTorch", outputs, read(folder.resolve("predictions.npy")));
  }

  private static float[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return (float[]) NpyArray.readValues(file.toString(), in, Files.size(file));
    }
  }

  private static void write(ExportedNetwork exported, Path folder) throws IOException {
    PortableNetwork network = exported.network();
    Files.writeString(folder.resolve("model.py"), TorchModule.code(network));
    try (OutputStream input = Files.newOutputStream(folder.resolve("input.npy"));
        var zip = new ZipOutputStream(Files.newOutputStream(folder.resolve("weights.npz")))) {
      boolean tokens = exported.takesTokens();
      Object values = tokens ? exported.tokens() : exported.input();
      NpyArray.write(input, values, 0, exported.shape());
      for (Block block : network.layout().blocks()) {
        zip.putNextEntry(new ZipEntry(block.name() + ".npy"));
        NpyArray.write(zip, network.values(), block.offset(), block.shape());
      }
    }
  }

  private void run(String python) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(python, "src/test/python/exported.py", directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }
}
