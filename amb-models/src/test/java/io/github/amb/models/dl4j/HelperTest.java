package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.ProbeJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
class HelperTest {
  @TempDir Path folder;

  /** In a JVM of its own, for this one was started with the property that enables helpers. */
  @Test
  void convolutionsRunOnOneDnnWithoutAnyFlag() throws IOException, InterruptedException {
    assumeTrue(Loader.getPlatform().endsWith("x86_64"), "oneDNN natives exist for x86_64 only");
    List<String> lines = ProbeJvm.output(folder, 60, "256m", HelperProbe.class).lines().toList();
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(
        lines.get(0).startsWith("helper=org.deeplearning4j.nn.layers.mkldnn.MKLDNNConvHelper"),
        lines.get(0));
    assertTrue(lines.get(1).contains("convolution_helper=MKLDNNConvHelper"), lines.get(1));
    assertTrue(lines.get(1).contains("nd4j_version=1.0.0-M2.1"), lines.get(1));
    assertTrue(lines.get(1).contains("-onednn"), lines.get(1));
  }
}
