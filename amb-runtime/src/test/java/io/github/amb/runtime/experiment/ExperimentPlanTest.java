package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentPlanTest {
  @TempDir Path folder;

  private List<Path> directories(Path file) throws IOException {
    Experiment experiment = ExperimentFile.read(file, false);
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
}
