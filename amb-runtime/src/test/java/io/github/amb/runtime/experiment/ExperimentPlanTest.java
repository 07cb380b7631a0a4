package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunInfo;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentPlanTest {
  @TempDir Path folder;

  private List<Path> directories(Path file) throws IOException {
    Experiment experiment = ExperimentFile.read(file, false, null);
    return ExperimentPlan.of(experiment, null, folder.resolve("runs"), false).stream()
        .map(run -> run.directory().path())
        .toList();
  }

  @Test
  void anEditedNetworkIsAnotherRun() throws IOException {
    Path network = Files.writeString(folder.resolve("n.json"), Networks.json("mlp"));
    String options = "{data-set: digits, scheme: fmb, update-rule: sgd, batch-size: 16, network: ";
    Path file =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            description: A network of one's own.
            options: %s%s, workers: 1, engine: sim, cost-per-example: 1, last-step: 2}
            matrix:
              learning-rate: [0.1]
            seeds: 1
            measures:
              accuracy: {of: accuracy}
            """
                .formatted(options, network));
    List<Path> before = directories(file);
    assertEquals(before, directories(file));
    Files.writeString(network, Networks.json("mlp") + "\n");
    assertNotEquals(before, directories(file));
  }

  private ExperimentRun run(Path file, String budget) throws IOException {
    Experiment experiment = ExperimentFile.read(file, false, budget);
    return ExperimentPlan.of(experiment, null, folder.resolve("runs"), false).get(0);
  }

  /** Ends a run after some updates. */
  private void end(ExperimentRun run, long step, String budget) throws IOException {
    Files.createDirectories(run.directory().checkpoints().resolve("step-00000000" + step));
    Map<String, Object> options = budget == null ? Map.of() : Map.of("budget", budget);
    RunInfo.Ending ending = new RunInfo.Ending(0, "", step, 2, null);
    run.directory()
        .write(new RunInfo(RunInfo.FORMAT, "one", "", null, options, 1, null, Map.of(), ending));
    String record =
        """
        {"type":"step","time":1,"step":%d,"loss":1,"learning_rate":1,"num_samples":8,"total_samples":8}
        """;
    Files.writeString(run.directory().masterLog(), record.formatted(step));
  }

  private Path file(String limit) throws IOException {
    String text =
        """
        description: Ends.
        options: {data-set: toy, scheme: fmb, update-rule: sgd, batch-size: 16, %sworkers: 1,
          engine: sim, cost-per-example: 1}
        matrix:
          learning-rate: [0.1]
        measures:
          accuracy: {of: accuracy}
        """;
    return Files.writeString(folder.resolve("own.yaml"), text.formatted(limit));
  }

  @Test
  void aRunThatHasUsedAsMuchCountsForABudget() throws IOException {
    Path file = file("last-step: 9, ");
    end(run(file, "updates=5"), 5, "updates=5");

    assertTrue(run(file, "updates=3").isDone());
    assertTrue(run(file, "updates=5").isDone());
    for (String more : new String[] {"updates=6", "examples=9", null}) {
      assertFalse(run(file, more).isDone(), more);
      assertTrue(run(file, more).isUnfinished(), more);
    }
    assertEquals(
        List.of("--last-step=9", "--budget=updates=6"),
        run(file, "updates=6").resume().subList(2, 4));

    end(run(file, null), 9, null);
    assertTrue(run(file, "updates=15").isDone());
    assertTrue(run(file, null).isDone());
  }

  @Test
  void aRunWithoutALimitDoesNotContinueALimitedOne() throws IOException {
    Path file = file("");
    end(run(file, "updates=5"), 5, "updates=5");

    assertFalse(run(file, null).isDone());
    assertFalse(run(file, null).isUnfinished());
  }
}
