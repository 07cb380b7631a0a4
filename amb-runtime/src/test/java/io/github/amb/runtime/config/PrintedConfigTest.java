package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrintedConfigTest {
  @TempDir Path directory;

  @Test
  void everyValueHasItsOrigin() throws IOException {
    Path file = directory.resolve("run.yaml");
    Files.writeString(file, "seed: 3\nworkers: 5\n");
    Settings settings =
        CommandLine.parse(List.of("mnist", "--config", file.toString(), "--seed", "4")).settings();
    List<String> lines = lines(settings.with(TrainSettings.LEARNING_RATE, 0.001));

    assertTrue(lines.contains("data-set: mnist # command line"), lines.toString());
    assertTrue(lines.contains("seed: 4 # command line"), lines.toString());
    assertTrue(lines.contains("workers: 5 # " + file + " line 2"), lines.toString());
    assertTrue(lines.contains("log-freq: 1 # default"), lines.toString());
    assertTrue(lines.contains("max-time: inf # default"), lines.toString());
    assertTrue(
        lines.contains("learning-rate: 0.001 # follows from other options"), lines.toString());
  }

  @Test
  void aValueThatFollowsAsTypedKeepsItsOrigin() {
    Settings settings = CommandLine.parse(List.of("--lr", "1e-3")).settings();
    Settings completed = settings.with(TrainSettings.LEARNING_RATE, 0.001);

    assertEquals("command line", completed.origin(TrainSettings.LEARNING_RATE));
  }

  @Test
  void everyOptionIsThereWithOrWithoutAValue() {
    Settings settings = CommandLine.parse(List.of("mnist", "fmb", "rms", "64")).settings();
    List<String> lines = lines(settings);
    String without = lines.get(lines.size() - 1);
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean valued = settings.all().get(setting.name()) != null;
      assertEquals(
          valued,
          lines.stream().anyMatch(line -> line.matches("(# )?" + setting.name() + ": .*")),
          setting.name());
      assertEquals(!valued, without.matches(".*[ ]" + setting.name() + "(,.*|$)"), without);
    }
  }

  @Test
  void theSchemesOwnDefaultsAreThere() {
    List<String> lines = lines(CommandLine.parse(List.of("mnist", "local-sgd")).settings());

    assertTrue(lines.stream().anyMatch(l -> l.matches("local-steps: 10 # default")), lines + "");
  }

  private static List<String> lines(Settings settings) {
    return PrintedConfig.text(settings).lines().map(line -> line.replaceAll(" +", " ")).toList();
  }
}
