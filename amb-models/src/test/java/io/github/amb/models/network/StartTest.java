package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.ProbeJvm;
import java.io.IOException;
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
}
