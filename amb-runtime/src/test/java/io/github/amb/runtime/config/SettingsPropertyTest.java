package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.AnytimeOptions;
import io.github.amb.models.data.DataSettings;
import io.github.amb.runtime.host.RankSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SettingsPropertyTest {
  @Property(tries = 200)
  void ranksReadTheSettingsOfTheLauncher(@ForAll("settings") Settings settings) throws IOException {
    Settings again = RecordedSettings.parse(settings.toJson());
    assertEquals(settings.all(), again.all());
    assertEquals(settings.toJson(), again.toJson());
    assertTrue(settings.toJson().chars().allMatch(c -> c >= 32 && c < 128), settings.toJson());
  }

  @Property(tries = 100)
  void thePrintedConfigurationGivesTheSameSettings(@ForAll("settings") Settings settings)
      throws IOException {
    assertEquals(settings.all(), parseFile(PrintedConfig.text(settings).getBytes("UTF-8")).all());
  }

  @Property(tries = 300)
  void anyFileIsReadOrRejected(@ForAll("yaml") String yaml) throws IOException {
    readOrReject(yaml.getBytes("UTF-8"));
  }

  @Property(tries = 200)
  void anyBytesAreReadOrRejected(@ForAll byte[] bytes) throws IOException {
    readOrReject(bytes);
  }

  @Property(tries = 300)
  void anyCommandLineIsReadOrRejected(@ForAll("arguments") List<String> arguments) {
    try {
      CommandLine.parse(arguments);
    } catch (UsageException e) {
      assertEquals(List.of(), e.getMessage().lines().filter(String::isBlank).toList());
    }
  }

  @Provide
  Arbitrary<Settings> settings() {
    Arbitrary<Double> positive =
        Arbitraries.doubles().between(0, false, 1e6, true).ofScale(9).filter(v -> v > 0);
    Arbitrary<String> text =
        Arbitraries.strings()
            .all()
            .excludeChars('\0')
            .ofMinLength(1)
            .filter(t -> !t.isBlank() && encodable(t));
    Map<Setting<?>, Arbitrary<?>> values = new LinkedHashMap<>();
    values.put(DataSettings.DATA_SET, text);
    values.put(TrainSettings.BATCH_SIZE, Arbitraries.integers().greaterOrEqual(1));
    values.put(RankSettings.WORKERS, Arbitraries.integers().between(0, 10_000));
    values.put(DataSettings.DATA_DIR, Arbitraries.of("/a b", "\"q\"", "c:\\d", "-x", "a=b", "é"));
    values.put(TrainSettings.SEED, Arbitraries.longs());
    values.put(
        TrainSettings.TEST_SIZE, Arbitraries.integers().greaterOrEqual(-1).filter(v -> v != 0));
    values.put(AnytimeOptions.TIME_LIMIT, positive);
    values.put(TrainSettings.WEIGHT_DECAY, positive);
    values.put(TrainSettings.LEARNING_RATE, Arbitraries.of(1e-12, 1e-3, 5E-4, 1e5, 1e22));
    values.put(TrainSettings.MAX_TIME, Arbitraries.of(Double.POSITIVE_INFINITY, 0.1, 3e9));
    values.put(Schedules.EPOCHS_EVERY, Arbitraries.of("10", "30,60.5", "1e-3"));
    values.put(TrainSettings.LRATE_SCHEDULE, Arbitraries.of("const", "linear", "epochs"));
    values.put(TrainSettings.INDUCE, Arbitraries.of("none", "cedar", "0,0,.4; .1,0,.6"));
    Arbitrary<Settings> all = Arbitraries.just(Settings.NONE);
    for (Map.Entry<Setting<?>, Arbitrary<?>> entry : values.entrySet()) {
      Arbitrary<?> value = entry.getValue().optional();
      all =
          all.flatMap(
              settings ->
                  value.map(
                      v ->
                          ((java.util.Optional<?>) v)
                              .map(some -> settings.with(entry.getKey(), some))
                              .orElse(settings)));
    }
    return all;
  }

  @Provide
  Arbitrary<String> yaml() {
    return Arbitraries.of(
            "seed", "workers", ": ", ":", "\n", " ", "- ", "[", "]", "{", "}", ",", "'", "\"", "#",
            "&a ", "*a", "!!int ", "|", ">", "---\n", "...", "3", "x", "%", "@", "\t", "? ", "<<")
        .list()
        .ofMaxSize(12)
        .map(parts -> String.join("", parts));
  }

  @Provide
  Arbitrary<List<String>> arguments() {
    return Arbitraries.of(
            "mnist",
            "fmb",
            "64",
            "-1",
            "--",
            "-",
            "---",
            "--=",
            "--workers",
            "--workers=",
            "-w",
            "--induce",
            "--seed",
            "--no_such",
            "--no_such=3",
            "--print-config",
            "--print-config=1",
            "",
            " ",
            "=",
            "-=",
            "--workers=2",
            "-h=1",
            "--cuda")
        .list()
        .ofMaxSize(8);
  }

  private static boolean encodable(String text) {
    return java.nio.charset.StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static void readOrReject(byte[] yaml) throws IOException {
    try {
      parseFile(yaml);
    } catch (UsageException e) {
      assertEquals(List.of(), e.getMessage().lines().filter(String::isBlank).toList());
    }
  }

  private static Settings parseFile(byte[] yaml) throws IOException {
    Path file = Files.createTempFile("settings", ".yaml");
    try {
      Files.write(file, yaml);
      return CommandLine.parse(List.of("--config", file.toString())).settings();
    } finally {
      Files.delete(file);
    }
  }
}
