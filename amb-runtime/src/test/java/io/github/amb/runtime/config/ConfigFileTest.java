package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.AnytimeOptions;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.runtime.host.RankSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
  @TempDir Path directory;

  @Test
  void aFileSetsAnythingByAnyOfItsNames() throws IOException {
    Settings settings =
        read(
            """
            # a run
            data-set: mnist
            scheme: amb
            update_rule: "rms"
            batch-size: 64
            starter_learning_rate: 1e-3
            induce_comp: cedar
            lrate-epochs-every: [30, 60.5]
            max-time: .inf
            """);
    assertEquals("mnist", settings.get(DataSettings.DATA_SET));
    assertEquals("rms", settings.get(TrainSettings.UPDATE_RULE));
    assertEquals(64, settings.get(TrainSettings.BATCH_SIZE));
    assertEquals(1e-3, settings.get(TrainSettings.LEARNING_RATE));
    assertEquals("cedar", settings.get(TrainSettings.INDUCE));
    assertEquals(List.of(30.0, 60.5), settings.get(Schedules.EPOCHS_EVERY));
    assertEquals(Double.POSITIVE_INFINITY, settings.get(TrainSettings.MAX_TIME));
  }

  @Test
  void aFileOverTheLimitIsRejectedUnparsed() throws IOException {
    Path file = directory.resolve("huge.yaml");
    Files.writeString(file, "network: " + "x".repeat(1 << 20));
    List<String> problems = new ArrayList<>();
    assertEquals(
        file + ": expected a file of options of at most 1048576 bytes, found 1048585 bytes",
        assertThrows(UsageException.class, () -> ConfigFile.read(file.toString(), problems))
            .getMessage());
  }

  @Test
  void aRunsDamagedDescriptionIsNamedWithItsPlace() throws IOException {
    Path file = directory.resolve("copy.json");
    Files.writeString(file, "{\"configuration\": {\n \"seed\": 3,,\n");
    var error =
        assertThrows(
            UsageException.class, () -> CommandLine.parse(List.of("--config", file.toString())));
    String place = "--config: " + file + ": line 2, column 12: ";
    assertTrue(error.getMessage().startsWith(place), error.getMessage());
  }

  @Test
  void theCommandLineWinsOverTheFile() throws IOException {
    Settings settings = read("seed: 3\nworkers: 5\ndata-set: toy\n", "mnist", "--workers", "1");
    assertEquals(3, settings.get(TrainSettings.SEED));
    assertEquals(1, settings.get(RankSettings.WORKERS));
    assertEquals("mnist", settings.get(DataSettings.DATA_SET));
  }

  @Test
  void aLaterFileWinsOverAnEarlierOne() throws IOException {
    Path base = directory.resolve("base.yaml");
    Files.writeString(base, "seed: 1\nworkers: 7\n");
    Settings settings =
        CommandLine.parse(List.of("--config", base.toString(), "--config", write("seed: 2\n")))
            .settings();
    assertEquals(2, settings.get(TrainSettings.SEED));
    assertEquals(7, settings.get(RankSettings.WORKERS));
    assertEquals(file() + " line 1", settings.place(TrainSettings.SEED));
    assertEquals(base + " line 2", settings.place(RankSettings.WORKERS));
  }

  @Test
  void problemsOfEveryFileAreReported() throws IOException {
    Path base = directory.resolve("base.yaml");
    Files.writeString(base, "sedd: 1\n");
    List<String> arguments =
        List.of("--config", base.toString(), "--config", write("a: b: c"), "--seed", "x");
    var error = assertThrows(UsageException.class, () -> CommandLine.parse(arguments));
    assertEquals(3, error.getMessage().lines().count(), error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"amb, 0.5, 9", "fmb, , 4"})
  void aSectionAppliesToItsScheme(String scheme, Double limit, long steps) throws IOException {
    String yaml = "steps: 4\namb:\n  amb-time-limit: 0.5\n  steps: 9\nfmb: {}\n";
    Settings settings = read(yaml, "--scheme", scheme);
    assertEquals(limit, settings.get(AnytimeOptions.TIME_LIMIT));
    assertEquals(steps, settings.get(TrainSettings.LAST_STEP));
  }

  @Test
  void aSectionIsCheckedWhicheverSchemeRuns() throws IOException {
    assertEquals(
        List.of(
            file() + " line 3: unknown key 'amb-time-limt', did you mean 'amb-time-limit'?",
            file() + " line 4: expected no scheme in a section of a scheme, found one"),
        problems("scheme: fmb\namb:\n  amb-time-limt: 3\n  scheme: fmb\n"));
  }

  @Test
  void aRunGivesItsValuesAndNoOrdersOrPlaces() throws IOException {
    Path run = directory.resolve("run.json");
    Files.writeString(
        run,
        """
        {"format": 2, "id": "x", "started": "", "seed": 1, "configuration": {
          "data-set": "toy", "scheme": "fmb", "workers": 5, "norm": null, "cost": "measured",
          "hosts": "evil", "remote-shell": "evil", "bind": "evil", "on-end": "evil",
          "run-directory": "evil", "runs-dir": "evil", "resume": "evil"}}
        """);
    for (String named : List.of(run.toString(), directory.toString())) {
      Settings settings = CommandLine.parse(List.of("--config", named)).settings();
      assertEquals("toy", settings.get(DataSettings.DATA_SET));
      assertEquals(run + " line 2", settings.place(RankSettings.WORKERS));
      assertFalse(settings.toJson().contains("evil"), settings.toJson());
      assertFalse(settings.has(SimSettings.COST));
    }
  }

  /** Somebody else may have written the file. */
  @Test
  void noFileGivesCommandsHostsAddressesOrPlugins() throws IOException {
    List<String> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder("k-sync:\n");
    for (Setting<?> setting : TrainSettings.ALL) {
      if (setting.role() == Setting.Role.ORDER) {
        text.append("  ").append(setting.name()).append(": evil\n");
        expected.add(
            "%s line %d: %s: expected --%s on the command line, found it in a file"
                .formatted(file(), expected.size() + 2, setting.name(), setting.name()));
      }
    }
    assertEquals(5, expected.size());
    assertEquals(expected, problems(text.toString()));
    assertEquals(
        List.of(
            file()
                + " line 1: remote_shell: expected --remote-shell on the command line, found it in a file"),
        problems("remote_shell: evil\n"));
  }

  @Test
  void whatARunDerivedFollowsFromChangedOptions() throws IOException {
    recordedRun("\"max-epochs\": 5.0, \"learning-rate\": 0.001, \"network\": \"toy-conv\"");
    for (String more : List.of("--last-step=5000", "--update-rule=sgd", "--data-set=mnist")) {
      Settings settings = again(more);
      assertFalse(settings.has(TrainSettings.MAX_EPOCHS));
      assertFalse(settings.has(TrainSettings.LEARNING_RATE));
      assertFalse(settings.has(NetworkSettings.NETWORK));
    }
    recordedRun("\"max-epochs\": 5, \"last-step\": 9, \"learning-rate\": 0.1");
    assertEquals(5, again("--last-step=5000").get(TrainSettings.MAX_EPOCHS));
    assertEquals(0.1, again("--last-step=5000").get(TrainSettings.LEARNING_RATE));
  }

  @Test
  void aRunGivesAnotherSchemeOnlyTheOptionsItHas() throws IOException {
    recordedRun("\"amb-time-limit\": 0.5, \"amb-num-partitions\": 8");
    assertEquals(8, again("--last-step=9").get(AnytimeOptions.NUM_PARTITIONS));
    assertFalse(again("--scheme=fmb").has(AnytimeOptions.NUM_PARTITIONS));
    assertEquals(0.5, again("--scheme=anytime-sgd").get(AnytimeOptions.TIME_LIMIT));
  }

  private void recordedRun(String options) throws IOException {
    Files.writeString(
        directory.resolve("run.json"),
        """
        {"format": 2, "id": "x", "started": "", "seed": 1, "configuration": {
          "data-set": "toy", "scheme": "amb", "update-rule": "rms", "batch-size": 16, %s}}
        """
            .formatted(options));
  }

  private Settings again(String option) {
    return CommandLine.parse(List.of("--config", directory.toString(), option)).settings();
  }

  @Test
  void aRunOfANewerFormatIsRejected() throws IOException {
    Path run = directory.resolve("run.json");
    Files.writeString(run, "{\"format\": 99, \"seed\": 1, \"configuration\": {\"workers\": 1}}");
    var error =
        assertThrows(
            UsageException.class, () -> CommandLine.parse(List.of("--config", run.toString())));
    assertTrue(error.getMessage().contains("found 99"), error.getMessage());
  }

  @Test
  void valuesAreTakenAsWritten() throws IOException {
    assertEquals("010", read("network: 010").get(NetworkSettings.NETWORK));
    assertEquals("no", read("network: no").get(NetworkSettings.NETWORK));
    assertEquals(10, read("seed: 010").get(TrainSettings.SEED));
    assertEquals(
        0.1 + 0.2, read("weight-decay: 0.30000000000000004").get(TrainSettings.WEIGHT_DECAY));
  }

  @Test
  void anEmptyFileSetsNothing() throws IOException {
    assertNull(read("").get(DataSettings.DATA_SET));
    assertNull(read("# nothing\n").get(DataSettings.DATA_SET));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wrokers: 3 | line 1: unknown key 'wrokers', did you mean 'workers'?",
        "frobnicate: 3 | line 1: unknown key 'frobnicate'; see amb train --help",
        "workers: -3 | line 1: workers: expected 0 to 10000, found '-3'",
        "workers: | line 1: workers: expected 0 to 10000, found ''",
        "workers: null | line 1: workers: expected 0 to 10000, found no single value",
        "workers: ~ | line 1: workers: expected 0 to 10000, found no single value",
        "workers: {a: 3} | line 1: workers: expected 0 to 10000, found no single value",
        "workers: [[3]] | line 1: workers: expected 0 to 10000, found no single value",
        "'workers: [3, 4]' | line 1: workers: expected 0 to 10000, found '3,4'",
        "seed: 1e999 | line 1: seed: expected an integer, found '1e999', more than a number can be",
        "weight-decay: 1e999 | line 1: weight-decay: expected 0 or more, found '1e999', more than a number can be",
        "weight-decay: .nan | line 1: weight-decay: expected 0 or more, found '.nan'",
        "network: '' | line 1: network: expected a name that amb models lists, a .json or .zip file of DL4J, or an .onnx file,"
            + " found ''",
        "induce: niagara\\ninduce_comp: cedar | line 2: induce_comp: expected one value, found a"
            + " second one, 'cedar'",
        "- mnist | line 1: expected 'option: value' lines, found a list",
        "mnist | line 1: expected 'option: value' lines, found 'mnist'",
        "seed: 1\\n---\\nseed: 2 | line 3: expected 'option: value' lines, found a second document",
      })
  void mistakesAreNamedWithFileAndLine(String yaml, String problem) throws IOException {
    String text = yaml.replace("\\n", "\n").replaceFirst("^'(.*)'$", "$1");
    assertEquals(List.of(file() + " " + problem), problems(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seed: [1 | 1: expected ',' or ']', but got <stream end>",
        "seed: 1%nseed: 2 | 2: Duplicate field 'seed'",
        "a: 1%nb: 2%n%tseed: 1 | 3: found character '\\t(TAB)' that cannot start any token.",
        "a: \"x%nb: 1 | 2: found unexpected end of stream",
        "a: b: c | 1: mapping values are not allowed here",
        "a: 1%nb: @x | 2: found character '@' that cannot start any token.",
      })
  void brokenYamlIsNamedWithFileAndLine(String yaml, String problem) throws IOException {
    String[] expected = problem.split(": ", 2);
    String start =
        "%s line %s: expected 'option: value' lines, found: %s"
            .formatted(file(), expected[0], expected[1]);
    List<String> problems = problems(yaml.replace("%n", "\n").replace("%t", "\t"));
    assertEquals(1, problems.size());
    assertTrue(problems.get(0).startsWith(start), problems.get(0));
  }

  @Test
  void allProblemsAreReportedAtOnce() throws IOException {
    assertEquals(
        List.of(
            file() + " line 1: unknown key 'sedd', did you mean 'seed'?",
            file() + " line 3: workers: expected 0 to 10000, found 'x'",
            "--seed: expected an integer, found 'y'"),
        problems("sedd: 1\nlog-freq: 2\nworkers: x\n", "--seed", "y"));
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    String absent = directory.resolve("absent.yaml").toString();
    var error =
        assertThrows(UsageException.class, () -> CommandLine.parse(List.of("--config", absent)));
    assertEquals(
        "--config: %s: expected a file or directory, found none; check the path".formatted(absent),
        error.getMessage());
    assertThrows(
        UsageException.class, () -> CommandLine.parse(List.of("--config", directory.toString())));
    assertThrows(UsageException.class, () -> CommandLine.parse(List.of("--config", "")));
  }

  private String file() {
    return directory.resolve("run.yaml").toString();
  }

  private String write(String yaml) throws IOException {
    Files.writeString(Path.of(file()), yaml);
    return file();
  }

  private Settings read(String yaml, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("--config", write(yaml)));
    all.addAll(List.of(arguments));
    return CommandLine.parse(all).settings();
  }

  private List<String> problems(String yaml, String... arguments) throws IOException {
    var error = assertThrows(UsageException.class, () -> read(yaml, arguments));
    return error.getMessage().lines().toList();
  }

  @Test
  void lineEndsDoNotBreakTheMessage() throws IOException {
    Path file = directory.resolve("ends.yaml");
    for (String yaml : List.of("seed\n\n\nseed", "\"se\\n\\ned\": 1", "seed: \"1\\n\\n2\"")) {
      Files.writeString(file, yaml);
      UsageException rejected =
          assertThrows(
              UsageException.class, () -> CommandLine.parse(List.of("--config", file.toString())));
      assertEquals(1, rejected.getMessage().lines().count(), rejected.getMessage());
    }
  }
}
