package io.github.amb.models.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.ProbeJvm;
import io.github.amb.models.onednn.primitive.OneDnn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The numerical tests, in a JVM whose oneDNN and OpenBLAS are held to an older processor's
 * instructions; docs/how-to/add-a-network.md has the command that runs them alone.
 */
@Execution(ExecutionMode.CONCURRENT)
class InstructionSetsTest {
  private static final Path PROCESSOR = Path.of("/proc/cpuinfo");
  private static final int LIMIT_SECONDS = 900;

  @TempDir Path folder;

  @BeforeAll
  static void oneDnnRunsHere() {
    assumeTrue(OneDnn.isAvailable(), "there is no oneDNN for this host");
    assumeTrue(Files.isReadable(PROCESSOR), "the processor's instructions are not known");
  }

  /** OpenBLAS does what it is told without a look at the processor. */
  @Tag("lab")
  @ParameterizedTest
  @CsvSource("AVX2, Haswell, avx2 fma")
  void numericalTestsPass(String oneDnn, String openBlas, String needed) throws Exception {
    assertNumericalTestsPass(oneDnn, openBlas, needed);
  }

  @Tag("claims")
  @ParameterizedTest
  @CsvSource({
    "SSE41, Nehalem, sse4_2",
    "AVX512_CORE, SkylakeX, avx512f avx512dq avx512bw avx512vl",
    "AVX512_CORE_BF16, Cooperlake, avx512f avx512dq avx512bw avx512vl avx512_bf16"
  })
  void numericalTestsPassOnOtherProcessors(String oneDnn, String openBlas, String needed)
      throws Exception {
    assertNumericalTestsPass(oneDnn, openBlas, needed);
  }

  private void assertNumericalTestsPass(String oneDnn, String openBlas, String needed)
      throws Exception {
    boolean here = flags().containsAll(List.of(needed.split(" ")));
    if (!here) {
      System.err.println("InstructionSetsTest: " + oneDnn + " is skipped, the processor lacks it");
    }
    assumeTrue(here, "the processor lacks " + oneDnn);
    var environment =
        Map.of(
            "DNNL_MAX_CPU_ISA",
            oneDnn,
            "OPENBLAS_CORETYPE",
            openBlas,
            "OPENBLAS_VERBOSE",
            "2",
            "OMP_NUM_THREADS",
            "1");
    var found = ProbeJvm.run(folder, LIMIT_SECONDS, "1g", environment, NumericalTests.class);
    assertEquals(0, found.status(), found.output());
    assertTrue(found.output().contains("oneDNN: " + oneDnn.toLowerCase()), found.output());
    assertTrue(found.output().contains("Core: " + openBlas), found.output());
    assertTrue(found.output().matches("(?s).*passed: [1-9].*"), found.output());
  }

  private static List<String> flags() throws IOException {
    return Files.readAllLines(PROCESSOR).stream()
        .filter(line -> line.startsWith("flags"))
        .findFirst()
        .map(line -> Arrays.asList(line.split("[\\s:]+")))
        .orElse(List.of());
  }
}
