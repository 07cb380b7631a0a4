package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.models.onednn.primitive.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs in bfloat16, and on processors that seem to lack it. */
@Tag("system")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class PrecisionRunsTest {
  private static final String OLDER = "ONEDNN_MAX_CPU_ISA=AVX512_CORE";
  private static final String TRAIN =
      "train optdigits fmb adm 32 --network cnn:8 --evaluate last --checkpoint-every last";

  private static final int SEEDS = 4;

  /** Standard errors of a difference of means; with the same seeds it is a small part of one. */
  private static final double DEVIATIONS = 3;

  @TempDir Path directory;

  @Test
  void anOlderProcessorRejectsIt() throws Exception {
    AmbProcess amb = older("rejected", " --workers 0 --last-step 2 --precision bf16");
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertTrue(amb.everythingSaid().contains("--precision bf16:"), amb.everythingSaid());
    assertTrue(amb.everythingSaid().contains("expected a processor with"), amb.everythingSaid());
    assertTrue(Files.notExists(directory.resolve("rejected/runs")), "a run was begun");
  }

  @Test
  void autoIsFp32OnAnOlderProcessor() throws Exception {
    AmbProcess amb = older("auto", " --workers 0 --last-step 2 --precision auto");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    assertEquals("fp32", amb.run().read().configured("precision", ""));
  }

  private AmbProcess older(String name, String options) throws Exception {
    List<String> line = new ArrayList<>(List.of("env", OLDER));
    line.addAll(AmbProcess.line(TRAIN + options));
    try (AmbProcess amb = AmbProcess.start(directory.resolve(name), line)) {
      amb.awaitEnd(AmbProcess.LIMIT);
      return amb;
    }
  }

  @Test
  void ranksHaveTheBitsOfTheVirtualCluster() throws Exception {
    assumeBfloat16();
    String options = " --workers 2 --last-step 5 --precision ";
    String virtual = " --engine sim --cost-per-example 0.001";
    String real = sum(train("real", options + "auto"), "bf16");
    assertEquals(sum(train("virtual", options + "bf16" + virtual), "bf16"), real);
    assertNotEquals(sum(train("exact", options + "fp32" + virtual), "fp32"), real);
  }

  private static String sum(RunDirectory run, String precision) throws IOException {
    assertEquals(precision, run.read().configured("precision", ""));
    return run.read().ending().parametersSha256();
  }

  private RunDirectory train(String name, String options) throws Exception {
    AmbProcess amb = AmbProcess.run(directory.resolve(name), TRAIN + options);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return amb.run();
  }

  /** The launcher's processor has the instructions, and that of the second worker lacks them. */
  @Tag("lab")
  @Test
  void aRankWithoutTheInstructionsSaysSo() throws Exception {
    assumeBfloat16();
    Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1\n127.0.0.2\n127.0.0.3\n");
    Path shell =
        Files.writeString(
            directory.resolve("shell"),
            "#!/bin/bash\n[ \"$1\" = 127.0.0.3 ] && export " + OLDER + "\nshift; exec \"$@\"\n");
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
    String options =
        " --last-step 5 --precision auto --hosts " + hosts + " --remote-shell " + shell;
    AmbProcess amb = AmbProcess.run(directory.resolve("run"), TRAIN + options);
    assertNotEquals(0, amb.exitCode(), amb.everythingSaid());
    assertTrue(amb.everythingSaid().contains("rank 2"), amb.everythingSaid());
    assertTrue(
        amb.everythingSaid().contains("--precision bf16: expected a processor with AVX512-BF16"),
        amb.everythingSaid());
  }

  /** Mean losses of the seeds, within the error that the seeds' spread gives their difference. */
  @Tag("lab")
  @Test
  void trainingEndsWhereFp32Does() throws Exception {
    assumeBfloat16();
    double[] exact = losses("fp32");
    double[] rounded = losses("bf16");
    double error = Math.sqrt((variance(exact) + variance(rounded)) / SEEDS);
    assertEquals(mean(exact), mean(rounded), DEVIATIONS * error);
    assertTrue(mean(exact) < 0.6, "expected a trained network, found loss " + mean(exact));
  }

  private double[] losses(String precision) throws Exception {
    double[] losses = new double[SEEDS];
    for (int seed = 1; seed <= SEEDS; seed++) {
      String options =
          " --workers 0 --last-step 150 --lr 0.01 --seed " + seed + " --precision " + precision;
      RunDirectory run = train(precision + seed, options);
      List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, run.masterRecords());
      losses[seed - 1] = tests.get(tests.size() - 1).testLoss();
    }
    return losses;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double variance(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += (value - mean(values)) * (value - mean(values));
    }
    return sum / (values.length - 1);
  }

  private static void assumeBfloat16() {
    Optional<String> obstacle = Precision.bf16Obstacle();
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElseThrow());
  }
}
