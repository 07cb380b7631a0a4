package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run's own description as a configuration, and configurations that are looked at only. */
class RunAgainTest extends VirtualRuns {
  private static final String SIZED =
      "toy fmb rms 16 --network mlp:8,4 --last-step 5" + EQUAL + " --test-size 50";

  @Test
  void aRunFromRunJsonHasTheSameParameters() throws IOException {
    RunDirectory first = train("first", AMB + " --seed 5");
    RunDirectory again = train("again", "--config " + first.info());

    assertEquals(
        first.read().ending().parametersSha256(), again.read().ending().parametersSha256());
  }

  @Test
  void sizesOfANetworkStayInTheRun() throws IOException {
    RunDirectory run = train("run", SIZED);
    assertEquals("mlp:8,4", run.read().configured("network", ""));
    RunDirectory again = train("again", "--config " + run.info());
    assertEquals(
        run.read().environment().get("network_sha256"),
        again.read().environment().get("network_sha256"));
    assertEquals(resume("run", "--last-step 6").read().ending().steps(), 6);
  }

  /** Some versions recorded the bare name; the sizes are in the checkpoints. */
  @Test
  void aRunWithoutItsSizesIsReadable() throws IOException {
    RunDirectory run = train("run", SIZED);
    String sha256 = run.read().environment().get("network_sha256");
    replace(run.info(), "\"mlp:8,4\"", "\"mlp\"");
    replace(run.info(), "\"network_sha256\"", "\"other\"");
    Path manifest = run.checkpoints().resolve("step-000000005/manifest.json");
    replace(manifest, "\"mlp:8,4\"", "\"mlp\"");
    Files.writeString(
        manifest.resolveSibling("manifest.json.sha256"), Sha256.of(manifest) + "  manifest.json\n");

    RunDirectory again = train("again", "--config " + run.info());
    assertEquals(sha256, again.read().environment().get("network_sha256"));
    assertEquals(6, resume("run", "--last-step 6").read().ending().steps());
  }

  @Test
  void aRunOfAnotherNetworkIsNotResumed() throws IOException {
    RunDirectory run = train("run", SIZED);
    String sha256 = run.read().environment().get("network_sha256");
    replace(run.info(), sha256, Sha256.of(new byte[0]));
    UsageException found = assertThrows(UsageException.class, () -> resume("run", "--last-step 6"));
    assertTrue(found.getMessage().contains("network_sha256"), found.getMessage());
  }

  private static void replace(Path file, String text, String by) throws IOException {
    String content = Files.readString(file);
    assertTrue(content.contains(text), content);
    Files.writeString(file, content.replace(text, by));
  }

  @Test
  void optionsWinOverRunJson() throws IOException {
    RunDirectory first = train("first", AMB);
    RunDirectory again = train("again", "--config " + first.info() + " --steps 2");

    assertEquals(2, again.read().ending().steps());
  }

  @Test
  void faultsMayBeInjectedWithoutALastStep() throws IOException {
    RunDirectory first = train("first", AMB + " --last-step 0 --max-epochs 0.1");
    String inject = " --inject kill:rank=1,step=2";

    assertEquals(0, train("again", "--config " + first.info() + inject).read().ending().exitCode());
  }

  @Test
  void aLimitThatIsBehindIsRejected() throws IOException {
    RunDirectory run = train("first", AMB + " --last-step 4");
    double time = run.lastStep().time();
    double epochs = run.lastStep().totalSamples() / 10_000.0;
    Map<String, String> limits =
        Map.of(
            "last-step",
            "3",
            "max-time",
            Double.toString(0.99 * time),
            "max-epochs",
            Double.toString(0.99 * epochs));
    limits.forEach(
        (limit, value) -> {
          String options = "--%s %s".formatted(limit, value);
          UsageException found = assertThrows(UsageException.class, () -> resume("first", options));
          assertTrue(found.getMessage().contains(options.split(" ")[0] + ":"), found.getMessage());
        });
    assertEquals(4, run.lastStep().step());
    assertEquals(4, run.read().ending().steps());
    String later = "--last-step 5 --max-time %s --max-epochs %s".formatted(9 * time, 9 * epochs);
    assertEquals(5, resume("first", later).read().ending().steps());
    assertThrows(UsageException.class, () -> printed("toy fmb rms 16 --last-step 0 --dry-run"));
  }

  @Test
  void aDryRunSaysWhatWouldRunAndWritesNothing() throws IOException {
    String text = printed("toy fmb rms 16" + EQUAL + " --steps 3 --dry-run");

    assertTrue(text.contains("1x10x10"), text);
    assertTrue(text.contains("1 master, 3 workers, engine sim"), text);
    assertTrue(text.contains("3 steps"), text);
    assertFalse(Files.exists(directory.resolve("runs")));
  }

  /** 60 million steps of three workers, of 450 + 3 · 320 bytes. */
  @Test
  void aRunWithLargeLogsIsAnnounced() throws IOException {
    String text = printed("toy fmb rms 16" + EQUAL + " --last-step 60000000 --dry-run");
    assertTrue(text.contains("about 85 GB"), text);
  }

  @Test
  void aDryRunIsCheckedAsARunIs() {
    assertThrows(UsageException.class, () -> printed("toy amb rms 16 --workers 0 --dry-run"));
  }

  @Test
  void aPrintedConfigurationIsCheckedAsARunIs() throws IOException {
    assertTrue(
        printed("toy fmb rms 16 --workers 0 --print-config").contains("learning-rate: 0.001"));
    assertThrows(
        UsageException.class,
        () -> printed("toy fmb rms 16 --workers 0 --network nope --print-config"));
  }

  @Test
  void theBestTestMayBeOneBeforeTheResume() throws IOException {
    RunDirectory run = train("run", AMB);
    String log = Files.readString(run.masterLog());
    Files.writeString(run.masterLog(), log.replaceFirst("\"accuracy\":[^,]*", "\"accuracy\":0.99"));
    String summary = printed(List.of("--resume", run.path().toString(), "--last-step", "6"));
    assertTrue(summary.contains("best 0.9900 (loss "), summary);
  }

  private String printed(String command) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--runs-dir", directory.resolve("runs").toString()));
    return printed(arguments);
  }

  private static String printed(List<String> arguments) throws IOException {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertEquals(0, new TrainCommand().run(arguments));
    } finally {
      System.setOut(out);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
