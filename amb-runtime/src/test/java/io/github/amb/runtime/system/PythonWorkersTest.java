package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose gradients a process per rank computes: here least squares, without PyTorch. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class PythonWorkersTest {
  private static final Path WORKER =
      Path.of("../amb-models/src/test/python/linear_worker.py").toAbsolutePath().normalize();

  @TempDir Path directory;

  private String network;

  @BeforeAll
  static void thereIsPython() throws InterruptedException {
    boolean found;
    try {
      found = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "no python3");
  }

  @BeforeEach
  void write() throws IOException {
    Path file = Files.writeString(directory.resolve("mine.py"), "");
    network = " --network python:" + file + ",python=" + WORKER;
  }

  private String train(String options) {
    return "train toy fmb adm 4 --workers 2 --learning-rate 1e-3" + network + options;
  }

  @Test
  void aRunResumesWithTheSameBits() throws Exception {
    String options = " --codec topk:0.1+ef --evaluate last --checkpoint-every 5 --last-step ";
    Path part = directory.resolve("part");
    AmbProcess first = run(part, train(options + "10 --engine sim"));
    String again = "train --last-step 20 --resume " + first.run().path();
    AmbProcess resumed = run(part, again + network);
    AmbProcess whole = run(directory.resolve("whole"), train(options + "20"));
    RunInfo ended = whole.run().read();
    assertEquals(
        ended.ending().parametersSha256(), resumed.run().read().ending().parametersSha256());
    assertEquals("least squares", ended.environment().get("gradient_engine"));
    assertTrue(ended.data().keySet().stream().anyMatch(name -> name.endsWith("mine.py")));
  }

  /** Somebody else may have written a file. */
  @Test
  void aFileAloneRunsNoCode() throws Exception {
    AmbProcess first = run(directory.resolve("own"), train(" --engine sim --last-step 2"));
    String run = first.run().path().toString();
    Path config = Files.writeString(directory.resolve("run.yaml"), "network: python:mine.py\n");
    for (String command :
        List.of(
            "train --last-step 4 --resume " + run,
            "evaluate " + run,
            "train toy fmb adm 4 --last-step 1 --engine sim --config " + run,
            "train toy fmb adm 4 --last-step 1 --engine sim --config " + config)) {
      AmbProcess amb = AmbProcess.run(directory.resolve("other"), command);
      assertEquals(2, amb.exitCode(), amb.everythingSaid());
      assertTrue(amb.everythingSaid().contains("AMB_PYTHON"), amb.everythingSaid());
    }
  }

  private static AmbProcess run(Path folder, String command) throws Exception {
    AmbProcess amb = AmbProcess.run(folder, command);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb;
  }

  @Test
  void aRunContinuesWithoutAWorkerWhosePythonEnded() throws Exception {
    String options = " --max-time 3000 --evaluate last --checkpoint-every last";
    try (AmbProcess amb = AmbProcess.start(directory, train(options))) {
      amb.awaitSteps(3);
      List<ProcessHandle> computing = amb.rank(2).children().toList();
      assertEquals(1, computing.size());
      computing.get(0).destroyForcibly();
      String cause = "(pid %d) at ".formatted(computing.get(0).pid());
      amb.awaitWhileRunning(
          () -> amb.stderr().stream().anyMatch(line -> line.contains(cause)), "the cause");
      long steps = amb.steps();
      amb.awaitSteps((int) steps + 3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(AmbProcess.LIMIT);
    }
  }
}
