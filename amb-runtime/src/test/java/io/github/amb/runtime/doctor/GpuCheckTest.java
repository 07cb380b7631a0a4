package io.github.amb.runtime.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.device.GpuBackend;
import io.github.amb.models.device.NvidiaSmi;
import io.github.amb.runtime.train.StandInBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With stand-ins for the driver's program and for ND4J's backend. */
class GpuCheckTest {
  private static final String A10 = "GPU-1, NVIDIA A10, 8.6";
  private static final String H100 = "GPU-2, NVIDIA H100, 9.0";
  private static final String WITHOUT = "; runs with --device cpu do not need it";

  @TempDir Path folder;
  private final StandInBackend backend = new StandInBackend();

  private Diagnosis diagnosis(NvidiaSmi driver) throws Exception {
    return Diagnosis.of(
        new SoundMachine() {
          @Override
          Optional<GpuBackend> gpuBackend() {
            return Optional.of(backend);
          }

          @Override
          NvidiaSmi gpuDriver() {
            return driver;
          }
        });
  }

  private NvidiaSmi listing(String... cards) throws Exception {
    Path program = folder.resolve("nvidia-smi");
    Files.writeString(program, "#!/bin/sh\ncat <<'END'\n" + String.join("\n", cards) + "\nEND\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new NvidiaSmi(program.toString(), null);
  }

  private void assertWarning(String found, NvidiaSmi driver) throws Exception {
    Diagnosis diagnosis = diagnosis(driver);
    diagnosis.assertLine("warning  gpus         " + found);
    assertEquals(0, diagnosis.code());
    assertFalse(backend.isLoaded());
  }

  @Test
  void cardsThatThereIsCodeForAreOk() throws Exception {
    Diagnosis diagnosis = diagnosis(listing(A10, "GPU-3, Tesla K80, 3.7"));
    diagnosis.assertLine(
        "ok       gpus         GPU 0 NVIDIA A10 of compute capability 8.6, GPU 1 Tesla K80 of compute capability 3.7");
    assertEquals(0, diagnosis.code());
    assertTrue(backend.isLoaded());
  }

  @Test
  void cardsThatThereIsNoCodeForAreWarnedOf() throws Exception {
    assertWarning(
        "GPU 0 NVIDIA H100 of compute capability 9.0: ND4J's binaries have code for 3.7 to 8.9, not for GPU 0"
            + WITHOUT,
        listing(H100));
    assertWarning(
        "GPU 0 NVIDIA A10 of compute capability 8.6, GPU 1 NVIDIA H100 of compute capability 9.0: ND4J's binaries have code for 3.7 to 8.9, not for GPU 1; list only the others in CUDA_VISIBLE_DEVICES",
        listing(A10, H100));
  }

  @Test
  void missingNativePartsAreWarnedOf() throws Exception {
    Path none = folder.resolve("none");
    assertWarning(
        "expected an NVIDIA GPU and its driver, found no program %s on the path".formatted(none)
            + WITHOUT,
        new NvidiaSmi(none.toString(), null));
    backend.lacks("libcublas.so.11");
    assertWarning("expected libcublas.so.11, found none" + WITHOUT, listing(A10));
  }

  @Test
  void aProgramThatWasBuiltWithoutSaysNothingOfGpus() throws Exception {
    String text = Diagnosis.of(new SoundMachine()).text();
    assertFalse(text.toLowerCase().contains("gpu"), text);
  }
}
