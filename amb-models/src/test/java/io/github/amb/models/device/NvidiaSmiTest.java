package io.github.amb.models.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in its place, which checks what it is asked. */
class NvidiaSmiTest {
  private static final String TWO = "GPU-aa11, NVIDIA A10, 8.6\nGPU-bb22, Tesla K80, rev. 2, 3.7";

  @TempDir Path folder;

  private NvidiaSmi answering(String text, int code, String visible) throws IOException {
    Path program = folder.resolve("nvidia-smi");
    Files.writeString(
        program,
        """
        #!/bin/sh
        [ "$*" = "--query-gpu=uuid,name,compute_cap --format=csv,noheader" ] || exit 99
        cat <<'END'
        %s
        END
        exit %d
        """
            .formatted(text, code));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new NvidiaSmi(program.toString(), visible);
  }

  private static List<String> names(NvidiaSmi driver) {
    return driver.gpus().stream().map(Gpu::name).toList();
  }

  @Test
  void cardsAreListedWithTheirComputeCapability() throws IOException {
    assertEquals(
        List.of(
            new Gpu("GPU-aa11", "NVIDIA A10", new ComputeCapability(8, 6)),
            new Gpu("GPU-bb22", "Tesla K80, rev. 2", new ComputeCapability(3, 7))),
        answering(TWO, 0, null).gpus());
  }

  @Test
  void hiddenGpusAreNotListed() throws IOException {
    assertEquals(List.of("Tesla K80, rev. 2"), names(answering(TWO, 0, "1")));
    assertEquals(List.of("Tesla K80, rev. 2", "NVIDIA A10"), names(answering(TWO, 0, "1, 0")));
    assertEquals(List.of("Tesla K80, rev. 2"), names(answering(TWO, 0, "GPU-bb")));
    assertEquals(List.of("NVIDIA A10"), names(answering(TWO, 0, "0,7,1")));
    assertProblem(
        "expected an NVIDIA GPU, found none with CUDA_VISIBLE_DEVICES=''", answering(TWO, 0, ""));
  }

  @Test
  void aPartOfACardHasTheCapabilityThatAllCardsHave() throws IOException {
    String one = "GPU-aa11, NVIDIA A100-SXM4-40GB, 8.0";
    assertEquals(
        List.of(new Gpu("MIG-1f", "NVIDIA A100-SXM4-40GB", new ComputeCapability(8, 0))),
        answering(one + "\n" + one, 0, "MIG-1f").gpus());
    assertProblem("found none with CUDA_VISIBLE_DEVICES='MIG-1f'", answering(TWO, 0, "MIG-1f"));
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    assertProblem("expected an NVIDIA GPU, found none", answering("", 0, null));
    assertProblem(
        "expected an NVIDIA GPU and its driver, found no program", new NvidiaSmi("/none", null));
    assertProblem(
        "exit code 9: NVIDIA-SMI has failed: no driver",
        answering("NVIDIA-SMI has failed:\nno driver", 9, null));
    assertProblem(
        "expected identifier, name and compute capability of a GPU, found 'GPU-aa11, A10, [N/A]'",
        answering("GPU-aa11, A10, [N/A]", 0, null));
    assertProblem("found 'nonsense'", answering("nonsense", 0, null));
  }

  private static void assertProblem(String expected, NvidiaSmi driver) {
    String found = assertThrows(UsageException.class, driver::gpus).getMessage();
    assertTrue(found.contains(expected), found);
    assertEquals(1, found.lines().count());
  }

  @Test
  void capabilitiesAreComparedByNumber() {
    assertTrue(ComputeCapability.parse("10.0").compareTo(ComputeCapability.parse("9.0")) > 0);
    assertTrue(ComputeCapability.parse("8.10").compareTo(ComputeCapability.parse("8.6")) > 0);
    assertEquals(0, ComputeCapability.parse("3.7").compareTo(new ComputeCapability(3, 7)));
    assertEquals("8.6", new ComputeCapability(8, 6).toString());
  }
}
