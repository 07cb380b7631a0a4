package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.RunInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs under MPJ Express' own launcher; skipped where that is not installed. */
@Tag("lab")
class MpjrunTrainingTest {
  private static final String TOY = "toy fmb rms 16 --last-step 5 --evaluate last";
  private static final Path SCRIPT = Path.of("../scripts/mpjrun").toAbsolutePath().normalize();

  @TempDir Path directory;

  @BeforeAll
  static void mpjrunIsInstalled() {
    String home = Objects.requireNonNullElse(System.getenv("MPJ_HOME"), "/usr/share/mpj");
    boolean installed = Files.isReadable(Path.of(home, "lib", "starter.jar"));
    if (!installed) {
      System.err.println("MpjrunTrainingTest is skipped: no starter.jar in " + home + "/lib");
    }
    assumeTrue(installed, "MPJ Express' launcher is not installed");
  }

  @Test
  void bothModesGiveTheParametersThatTheProgramGives() throws Exception {
    AmbProcess amb =
        AmbProcess.run(directory.resolve("amb"), "train --workers 2 " + TOY + Trial.SIM);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    RunInfo.Ending expected = amb.run().read().ending();
    for (List<String> mode : List.of(List.<String>of(), List.of("-dev", "niodev"))) {
      try (AmbProcess mpjrun = start("mpjrun" + mode.size(), "3", mode, TOY + " --encrypt")) {
        assertEquals(0, mpjrun.awaitEnd(AmbProcess.LIMIT), mpjrun.everythingSaid());
        RunInfo run = mpjrun.run().read();
        assertEquals(expected.parametersSha256(), run.ending().parametersSha256());
        assertEquals(5, run.ending().steps());
        assertEquals("2", run.configured("workers", ""));
        assertEquals("mpjrun", run.command().get(0));
        assertEquals(List.of(1, 2), mpjrun.run().workers());
      }
    }
  }

  /** As MPJ Express' own script starts a rank. */
  @ParameterizedTest
  @CsvSource({"niodev, AMB_RUN_SECRET", "hybdev, use niodev"})
  void ranksWithoutASecretDoNotEncrypt(String device, String remedy) throws Exception {
    List<String> line = new ArrayList<>(List.of("env", "-u", "AMB_RUN_SECRET"));
    line.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp"));
    line.addAll(List.of(System.getProperty("java.class.path"), "io.github.amb.runtime.Train"));
    line.addAll(List.of("0", "#Number of Processes;2", device));
    line.addAll(List.of((TOY + " --encrypt").split(" ")));
    try (AmbProcess rank = AmbProcess.start(directory, line)) {
      assertEquals(2, rank.awaitEnd(AmbProcess.LIMIT), rank.everythingSaid());
      String last = rank.stderr().get(rank.stderr().size() - 1);
      assertTrue(last.startsWith("amb: --encrypt: expected a secret of the run, found none"), last);
      assertTrue(last.contains(remedy), last);
    }
  }

  @Test
  void aResumedRunHasItsOptions() throws Exception {
    List<String> mode = List.of("-dev", "niodev");
    String options = "toy fmb rms 16 --evaluate last --seed 7 --learning-rate 0.01 --last-step ";
    try (AmbProcess first = start("first", "2", mode, options + 3)) {
      assertEquals(0, first.awaitEnd(AmbProcess.LIMIT), first.everythingSaid());
      String resume = "--last-step 5 --resume " + first.run().path();
      try (AmbProcess other = start("first", "2", mode, resume + " --workers 5")) {
        assertEquals(2, other.awaitEnd(AmbProcess.LIMIT), other.everythingSaid());
      }
      try (AmbProcess next = start("first", "2", mode, resume)) {
        assertEquals(0, next.awaitEnd(AmbProcess.LIMIT), next.everythingSaid());
      }
      String command = "train " + options + 5 + " --workers 1" + Trial.SIM;
      AmbProcess whole = AmbProcess.run(directory.resolve("whole"), command);
      assertEquals(
          whole.run().read().ending().parametersSha256(),
          first.run().read().ending().parametersSha256());
    }
  }

  @Test
  void aSingleRankIsRejectedInOneLine() throws Exception {
    try (AmbProcess mpjrun = start("single", "1", List.of())) {
      assertEquals(2, mpjrun.awaitEnd(AmbProcess.LIMIT), mpjrun.everythingSaid());
      List<String> lines = new ArrayList<>(mpjrun.stdout());
      lines.addAll(mpjrun.stderr());
      lines.removeIf(line -> !line.startsWith("amb: "));
      assertEquals(1, lines.size(), mpjrun.everythingSaid());
      assertTrue(lines.get(0).contains("expected at least 2 ranks"), lines.get(0));
      assertFalse(Files.exists(directory.resolve("single/runs")));
    }
  }

  /** The line comes after the stack traces of all ranks, which end because one failed. */
  @Test
  void theRootCauseIsTheLastLine() throws Exception {
    List<String> mode = List.of("-dev", "niodev");
    String fault = " --inject nan:rank=2,step=4";
    try (AmbProcess mpjrun = start("nan", "3", mode, TOY + fault)) {
      assertEquals(1, mpjrun.awaitEnd(AmbProcess.LIMIT), mpjrun.everythingSaid());
      List<String> lines = mpjrun.stderr();
      String cause =
          "amb: rank 0: step 4: gradient of rank 2.*; resume after step 3 with: amb train --resume \\S+";
      String last = lines.get(lines.size() - 1);
      assertTrue(last.matches(cause), mpjrun.everythingSaid());
    }
  }

  private AmbProcess start(String name, String ranks, List<String> mode) throws Exception {
    return start(name, ranks, mode, TOY);
  }

  private AmbProcess start(String name, String ranks, List<String> mode, String program)
      throws Exception {
    Path runs = directory.resolve(name).resolve("runs");
    List<String> line = new ArrayList<>(List.of(SCRIPT.toString(), "-np", ranks));
    line.addAll(mode);
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.add("io.github.amb.runtime.Train");
    line.addAll(List.of((program + " --runs-dir " + runs).split(" ")));
    return AmbProcess.start(directory.resolve(name), line);
  }
}
