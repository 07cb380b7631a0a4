package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentPlanTest {
  @TempDir Path folder;

  private List<Path> directories(Path file) throws IOException {
    return directories(file, null);
  }

  private List<Path> directories(Path file, String budget) throws IOException {
    Experiment experiment = ExperimentFile.read(file, false, budget);
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

  private void end(Path run) throws IOException {
    Files.createDirectories(run);
    RunInfo info =
        new RunInfo(
            RunInfo.FORMAT,
            "one",
            "2026-01-01T00:00:00Z",
            List.of(),
            Map.of(),
            1,
            Map.of(),
            Map.of(),
            new RunInfo.Ending(0, "", 1, 2, null));
    new RunDirectory(run).write(info);
  }

  @Test
  void aRunThatHasUsedAsMuchCountsForABudget() throws IOException {
    String text =
        """
        description: Ends.
        options: {data-set: toy, scheme: fmb, update-rule: sgd, batch-size: 16, last-step: 2,
          workers: 1, engine: sim, cost-per-example: 1}
        matrix:
          learning-rate: [0.1]
        measures:
          accuracy: {of: accuracy}
        """;
    Path free = Files.writeString(folder.resolve("free.yaml"), text);
    Path file = Files.writeString(folder.resolve("own.yaml"), text + "budget: updates=9\n");
    List<Path> own = directories(file);
    List<Path> smaller = directories(file, "updates=5");
    List<Path> larger = directories(file, "updates=15");
    assertEquals(3, Set.of(own.get(0), smaller.get(0), larger.get(0)).size());

    end(own.get(0));
    assertEquals(own, directories(file, "updates=5"));
    assertEquals(larger, directories(file, "updates=15"));
    assertNotEquals(own, directories(free));
    end(directories(free).get(0));
    assertEquals(directories(free), directories(file, "updates=15"));
  }
}
