package io.github.amb.runtime.train.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.device.GpuBackend;
import io.github.amb.models.device.NvidiaSmi;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.RecordedSettings;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.train.StandInBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With stand-ins for the driver's program and for ND4J's backend. */
class GpuPlanTest {
  private static final String A10 = "GPU-1, NVIDIA A10, 8.6";
  private static final String H100 = "GPU-2, NVIDIA H100 80GB HBM3, 9.0";
  private static final String K40 = "GPU-3, Tesla K40m, 3.5";

  @TempDir Path folder;
  private final StandInBackend backend = new StandInBackend();

  private static Settings settings(String options) {
    return CommandLine.parse(List.of(("toy fmb sgd 8 " + options).split(" "))).settings();
  }

  private NvidiaSmi driver(String... cards) {
    try {
      Path program = folder.resolve("nvidia-smi");
      Files.writeString(program, "#!/bin/sh\ncat <<'END'\n" + String.join("\n", cards) + "\nEND\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
      return new NvidiaSmi(program.toString(), null);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private GpuPlan plan(String options, String... cards) {
    return GpuPlan.of(settings(options), () -> Optional.of(backend), driver(cards)).orElseThrow();
  }

  /** The cards of the first ranks, - for the processor. */
  private static String cards(GpuPlan plan, int ranks) {
    Map<Integer, String> cards = plan.cards(ranks(0, ranks - 1));
    return IntStream.range(0, ranks)
        .mapToObj(rank -> cards.getOrDefault(rank, "-"))
        .collect(Collectors.joining(" "));
  }

  @Test
  void ranksTakeTheCardsInTurns() {
    String a = "a, NVIDIA A10, 8.6";
    String b = "b, NVIDIA A10, 8.6";
    String c = "c, NVIDIA A10, 8.6";
    assertEquals("- a b a b a", cards(plan("--cuda cpu_master", a, b), 6));
    assertEquals("a - - -", cards(plan("--cuda gpu_master", a, b), 4));
    assertEquals("a b a b a", cards(plan("--cuda gpu_all", a, b), 5));
    assertEquals("a b c a", cards(plan("--cuda gpu_all --gpus-per-node 3", a, b, c, A10), 4));
    assertEquals("- a a a", cards(plan("--cuda cpu_master --gpus_per_node 1", a, b), 4));
  }

  @Test
  void recordsOfOlderRunsKeepTheirRanks() throws IOException {
    String run = "{\"configuration\":{\"workers\":3,\"cuda\":\"cpu_master\"}}";
    assertEquals("cpu_master", RecordedSettings.parse(run).get(TrainSettings.DEVICE));
    Settings same = Settings.of(Map.of("cuda", "none"));
    assertEquals("cpu", same.get(TrainSettings.DEVICE));
    assertTrue(same.has(TrainSettings.DEVICE));
  }

  @Test
  void aProcessComputesOnTheOnlyCardThatItSees() {
    GpuPlan plan = plan("--cuda cpu_master --gpus-per-node 2", A10);
    plan.start(0);
    assertFalse(backend.isStarted());
    plan.start(2);
    assertTrue(backend.isStarted());
  }

  @Test
  void aProcessThatSeesSeveralCardsIsRejected() {
    String problem =
        "--device gpu_all: expected one GPU that this process sees, found 2; name one in"
            + " CUDA_VISIBLE_DEVICES";
    GpuPlan plan = plan("--cuda gpu_all", A10, A10);
    assertEquals(problem, assertThrows(UsageException.class, () -> plan.start(1)).getMessage());
    assertRejected(problem, plan("--cuda gpu_all --workers 0", A10, A10), List.of(0));
  }

  @Test
  void aProcesssOwnCardIsChecked() {
    String problem =
        assertThrows(UsageException.class, () -> plan("--cuda gpu_all", H100).start(0))
            .getMessage();
    assertTrue(problem.contains("found 9.0 on GPU 0"), problem);
    assertFalse(backend.isStarted());
  }

  @Test
  void withoutTheOptionNoRankUsesAGpu() {
    assertTrue(GpuPlan.of(settings(""), GpuPlanTest::lookUp, driver(A10)).isEmpty());
    assertTrue(GpuPlan.note(settings("")).isEmpty());
  }

  @Test
  void cardsThatThereIsCodeForAreAccepted() {
    GpuPlan plan = plan("--cuda gpu_all", A10, "GPU-4, Tesla K80, 3.7");
    plan.check(ranks(0, 4));
    assertTrue(backend.isLoaded());
  }

  @Test
  void unsupportedCardsAreRejectedByName() {
    assertRejected(
        "--device gpu_all: expected a GPU of compute capability 3.7 to 8.9, which ND4J's binaries"
            + " have code for, found 9.0 on GPU 1, NVIDIA H100 80GB HBM3",
        plan("--cuda gpu_all", A10, H100),
        ranks(0, 1));
    assertRejected(
        "--device cpu_master: expected a GPU of compute capability 3.7 to 8.9, which ND4J's"
            + " binaries have code for, found 3.5 on GPU 0, Tesla K40m",
        plan("--cuda cpu_master", K40),
        ranks(0, 1));
    // Nobody uses the second card.
    plan("--cuda gpu_all --gpus-per-node 1", A10, H100).check(ranks(0, 3));
    plan("--cuda gpu_master", A10, H100).check(ranks(0, 3));
  }

  @Test
  void onlyTheRanksOfThisHostCount() {
    GpuPlan plan = plan("--cuda cpu_master");
    plan.check(List.of(0));
    assertFalse(backend.isLoaded());
    assertRejected("--device cpu_master: expected an NVIDIA GPU, found none", plan, List.of(0, 1));
  }

  @Test
  void missingCardsAreReported() {
    assertRejected(
        "--device gpu_all: expected --gpus-per-node of at most 1, the number of GPUs here, found 2",
        plan("--cuda gpu_all --gpus-per-node 2", A10),
        ranks(0, 1));
    backend.lacks("libcublas.so.11");
    assertRejected(
        "--device gpu_all: expected libcublas.so.11, found none",
        plan("--cuda gpu_all", A10),
        ranks(0, 1));
  }

  @Test
  void withoutCudaOnlyCpuMasterFallsBack() {
    String built = "this program was built without CUDA";
    assertTrue(GpuPlan.of(settings("--cuda cpu_master"), Optional::empty, null).isEmpty());
    for (String kind : List.of("gpu_master", "gpu_all")) {
      Settings demand = settings("--cuda " + kind);
      UsageException rejected =
          assertThrows(
              UsageException.class, () -> GpuPlan.of(demand, Optional::empty, driver(A10)));
      assertEquals(
          "--device %s: %s; build it with scripts/build -Pcuda (docs/how-to/use-gpus.md)"
              .formatted(kind, built),
          rejected.getMessage());
    }
  }

  @Test
  void theVirtualClusterHasNoGpus() {
    Settings wish = settings("--cuda cpu_master --engine sim");
    assertTrue(GpuPlan.of(wish, GpuPlanTest::lookUp, driver(A10)).isEmpty());
    assertEquals(
        "--device cpu_master: all ranks compute on the processor: the virtual cluster has no GPUs",
        GpuPlan.note(wish).orElseThrow());
    Settings demand = settings("--cuda gpu_all --engine sim");
    assertThrows(
        UsageException.class, () -> GpuPlan.of(demand, () -> Optional.of(backend), driver(A10)));
  }

  /** Looks the back end up, as the program does. */
  private static Optional<GpuBackend> lookUp() {
    throw new AssertionError("nobody wants a GPU");
  }

  private static List<Integer> ranks(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toList();
  }

  private static void assertRejected(String expected, GpuPlan plan, List<Integer> ranks) {
    assertEquals(
        expected, assertThrows(UsageException.class, () -> plan.check(ranks)).getMessage());
  }
}
