package io.github.amb.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.device.ComputeCapability;
import io.github.amb.models.device.GpuBackend;
import io.github.amb.models.device.NvidiaSmi;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CudaTest {
  @TempDir Path folder;

  @Test
  void theProgramFindsItAndKnowsItsCards() {
    GpuBackend backend = assertInstanceOf(Cuda.class, GpuBackend.required());
    assertEquals(new ComputeCapability(3, 7), backend.oldest());
    assertEquals(new ComputeCapability(8, 9), backend.newest());
  }

  @Test
  void aProcessThatWasNotToldToComputesOnTheProcessor() {
    assertEquals("CPU", Networks.describeEngine().get("nd4j_backend"));
  }

  @Test
  void missingLibrariesAreNamedInOneLine() {
    String problem = problem();
    assumeTrue(problem != null, "CUDA 11 and a card are here");
    assertTrue(problem.startsWith("expected "), problem);
    assertEquals(1, problem.lines().count(), problem);
  }

  /** In a JVM of its own, for this one computes on the processor. */
  @ParameterizedTest
  @ValueSource(strings = {"sigmoid-mlp", "lenet", "mnist-cnn"})
  void aCardsGradientIsThatOfOneDnn(String network) throws IOException, InterruptedException {
    String problem = problem();
    assumeTrue(problem == null, "no GPU that ND4J can use: " + problem);
    Path output = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                CudaProbe.class.getName(),
                network)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS), "the probe takes too long");
    } finally {
      process.destroyForcibly();
    }
    assertTrue(Double.parseDouble(Files.readString(output).strip()) < 1e-3);
  }

  /** Why no card can be used here; null if one can. */
  private static String problem() {
    try {
      ComputeCapability first = new NvidiaSmi().gpus().get(0).capability();
      GpuBackend backend = GpuBackend.required();
      if (!backend.hasCodeFor(first)) {
        return "expected code for a card of compute capability " + first;
      }
      backend.load();
      return null;
    } catch (UsageException e) {
      return e.getMessage();
    }
  }
}
