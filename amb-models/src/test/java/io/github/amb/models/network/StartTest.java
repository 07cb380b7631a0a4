package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.ProbeJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
class StartTest {
  @TempDir Path folder;

  /** They take longer to load than all else before the first gradient. */
  @Test
  void aRankNeedsNoNativesOfNd4j() throws IOException, InterruptedException {
    assumeTrue(Loader.getPlatform().equals("linux-x86_64"), "oneDNN is not built for this host");
    String libraries =
        ProbeJvm.output(folder, 120, "512m", StartProbe.class, "mnist-cnn", "lenet", "resnet18");
    assertTrue(libraries.contains("dnnl"), libraries);
    assertFalse(libraries.contains("nd4j"), libraries);
  }

  @Test
  void networksComputeWhereNd4jHasNoNatives() throws IOException, InterruptedException {
    assumeTrue(Loader.getPlatform().equals("linux-x86_64"), "oneDNN is not built for this host");
    Path saved = folder.resolve("saved.json");
    Files.writeString(saved, Networks.json("lenet"));
    var found =
        ProbeJvm.runWithoutNd4j(folder, 120, StartProbe.class, "mnist-cnn", saved.toString());
    assertEquals(0, found.status(), found.output());
    assertTrue(found.output().contains("dnnl"), found.output());
  }

  @Test
  void aLayerLeftToDl4jSaysHowToGetNatives() throws IOException, InterruptedException {
    Path saved = folder.resolve("saved.json");
    String relu = "activations.impl.ActivationReLU\"";
    String json = Networks.json("lenet");
    assertTrue(json.contains(relu), json);
    Files.writeString(saved, json.replace(relu, "activations.impl.ActivationMish\""));
    var found = ProbeJvm.runWithoutNd4j(folder, 120, StartProbe.class, saved.toString());
    assertEquals(1, found.status(), found.output());
    assertTrue(found.output().contains("run install-nd4j, which is beside amb"), found.output());
  }
}
