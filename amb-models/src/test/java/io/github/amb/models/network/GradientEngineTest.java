package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.data.DataSets;
import io.github.amb.models.onednn.OneDnnGradientSource;
import java.util.Map;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Test;

class GradientEngineTest {
  /** A network that is left to DL4J still trains, only several times slower. */
  @Test
  void everyNetworkRunsOnOneDnnHoweverItNormalizes() {
    assumeTrue(Loader.getPlatform().equals("linux-x86_64"), "oneDNN is not built for this host");
    for (String name : Networks.ALL.names()) {
      Requirements stated = Networks.definition(name).stated();
      if (!Networks.definition(name).hasLayers()) {
        continue;
      }
      for (Norm norm : Norm.values()) {
        var needs = new Requirements(stated.input(), stated.classes(), norm);
        var architecture = Networks.definition(name).architecture(needs);
        assertTrue(OneDnnGradientSource.isFor(architecture), name + ", --norm " + norm);
      }
    }
  }

  @Test
  void recordsNameTheNativeLibraries() {
    assumeTrue(Loader.getPlatform().equals("linux-x86_64"), "oneDNN is not built for this host");
    Map<String, String> facts =
        Networks.describeEngine(
            Networks.named("mnist-cnn"), NetworkOptions.USUAL, DataSets.load("digits", null, 1));
    assertEquals("oneDNN", facts.get("gradient_engine"));
    assertTrue(facts.get("onednn_version").startsWith("3."), facts.toString());
    assertTrue(facts.get("onednn_instructions").matches("[a-z0-9_]+"), facts.toString());
    assertTrue(facts.get("nd4j_natives").contains("onednn"), facts.toString());
    assertEquals("not used", facts.get("nd4j_backend"));
    assertTrue(facts.get("convolution_helper").startsWith("not used"), facts.toString());
  }
}
