package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Every processor computes the same bits, which are recorded here. */
@Tag("system")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class ReproducibleTest {
  /** Made by oneDNN 3.13 on an AMD EPYC with AVX-512, whose own code gives others. */
  private static final String BITS =
      "d3efbd318a9b1794086b36f5f6f627b1da8614b6af3136f9ac03c4268b687120";

  private static final String TRAIN =
      "train digits fmb adm 32 --network lenet --last-step 5 --evaluate last --reproducible";

  @TempDir Path directory;

  @Test
  void localTrainingHasTheBitsOfOtherProcessors() throws Exception {
    assertBits(" --workers 0");
  }

  @Tag("lab")
  @Test
  void ranksHaveTheBitsOfTheVirtualCluster() throws Exception {
    String real = ended(" --workers 2", "real").ending().parametersSha256();
    String simulated =
        ended(" --workers 2 --engine sim --cost-per-example 0.001", "simulated")
            .ending()
            .parametersSha256();
    assertEquals(simulated, real);
  }

  private void assertBits(String options) throws Exception {
    RunInfo run = ended(options, "run");
    assertEquals("avx2", run.environment().get("onednn_instructions"));
    assertEquals(BITS, run.ending().parametersSha256());
  }

  private RunInfo ended(String options, String name) throws Exception {
    assumeTrue(hasAvx2(), "no AVX2 here");
    AmbProcess amb = AmbProcess.run(directory.resolve(name), TRAIN + options);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb.run().read();
  }

  private static boolean hasAvx2() throws IOException {
    return Files.readString(Path.of("/proc/cpuinfo")).contains(" avx2 ");
  }
}
