package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.models.device.DeviceException;
import io.github.amb.models.device.OpenClDevices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose ranks share an OpenCL device, which is the processor with PoCL. */
@Tag("lab")
class DeviceRunsTest {
  private static final String TRAIN =
      "train optdigits fmb adm 32 --network cnn:8 --workers 2 --evaluate last --device ";

  private static OpenClDevices.Found device;

  @TempDir Path directory;

  @BeforeAll
  static void thereIsADevice() {
    try {
      device = OpenClDevices.list().get(0);
    } catch (DeviceException e) {
      abort(e.getMessage());
    }
  }

  private RunDirectory train(String name, String command) throws Exception {
    AmbProcess amb = AmbProcess.run(directory.resolve(name), command);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb.run();
  }

  private static double loss(RunDirectory run) throws Exception {
    List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, run.masterRecords());
    return tests.get(tests.size() - 1).testLoss();
  }

  @Test
  void ranksOnADeviceResumeWithTheSameBits() throws Exception {
    RunDirectory whole = train("whole", TRAIN + "gpu:opencl --last-step 6");
    assertEquals("0 1 2", whole.read().environment().get("gpu_ranks"));
    assertEquals("OpenCL", whole.read().environment().get("gradient_engine"));
    assertEquals(device.toString(), whole.read().environment().get("opencl_device"));
    RunDirectory half = train("half", TRAIN + "gpu:opencl --last-step 3 --checkpoint-every last");
    AmbProcess rest =
        AmbProcess.run(directory.resolve("rest"), "train --last-step 6 --resume " + half.path());
    assertEquals(0, rest.exitCode(), rest.everythingSaid());
    assertEquals(whole.read().ending().parametersSha256(), half.read().ending().parametersSha256());
    // Six steps of Adam move each parameter by at most about 0.006, in the direction that the
    // gradients' signs decide: near 0 both engines may differ, so the losses are near but not
    // equal.
    double onProcessor = loss(train("processor", TRAIN + "cpu --last-step 6"));
    assertEquals(onProcessor, loss(whole), 0.01 * onProcessor);
  }

  /** No device takes all 4096 examples of such a network, one by one, in half a second. */
  @Test
  void theTimeLimitOfAmbHolds() throws Exception {
    RunDirectory run =
        train(
            "limited",
            "train optdigits amb sgd 4096 --network resnet18 --amb-time-limit 0.5"
                + " --amb-num-partitions 4096 --workers 1 --last-step 2 --evaluate last"
                + " --test-size 4 --device gpu:opencl");
    for (LogRecord record : run.workerRecords(1)) {
      WorkerRecord step = (WorkerRecord) record;
      assertFalse(step.exhausted(), step.toString());
      assertTrue(step.numSamples() < 4096, step.toString());
    }
  }

  @Test
  void tooLittleMemoryIsOneLine() throws Exception {
    List<String> line = new ArrayList<>(List.of("env", "POCL_MEMORY_LIMIT=1"));
    String options = "train optdigits fmb sgd 1000 --network resnet18 --workers 1 --last-step 1";
    line.addAll(AmbProcess.line(options + " --evaluate last --device gpu:opencl"));
    assumeTrue(!device.gpu(), "a GPU has more memory");
    try (AmbProcess amb = AmbProcess.start(directory.resolve("memory"), line)) {
      amb.awaitEnd(AmbProcess.LIMIT);
      List<String> errors = Files.readAllLines(directory.resolve("memory/stderr"));
      assertEquals(
          1,
          errors.stream().filter(said -> said.contains("enough memory on the device")).count(),
          amb.everythingSaid());
      assertTrue(errors.stream().noneMatch(said -> said.startsWith("\tat ")), errors.toString());
      assertTrue(amb.exitCode() != 0);
    }
  }
}
