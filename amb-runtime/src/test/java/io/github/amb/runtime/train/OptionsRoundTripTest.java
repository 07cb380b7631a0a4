package io.github.amb.runtime.train;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.api.Training;
import io.github.amb.api.TrainingResult;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.PrintedConfig;
import io.github.amb.runtime.config.RecordedSettings;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.evaluate.EvaluateCommand;
import io.github.amb.runtime.experiment.ExperimentCommand;
import io.github.amb.runtime.runs.ExportCommand;
import io.github.amb.runtime.runs.RunsCommand;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.part.RunNetwork;
import io.github.amb.runtime.train.part.RunParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is asked is what runs: random options reach the ranks, {@code run.json}, and whatever reads
 * that, unchanged. Entries with arguments are among them, as those are lost most easily.
 */
@Timeout(1800)
class OptionsRoundTripTest {
  /** Each group has one choice of a run. */
  private static final List<List<String>> GROUPS =
      List.of(
          List.of("toy", "logistic", "digits", "TABLE.csv"),
          List.of(
              "fmb",
              "amb --amb-time-limit 0.2 --amb-num-partitions 4",
              "k-sync --num-aggregate 1",
              "async --gradients-per-update 2",
              "ssp --staleness 1",
              "dcasgd --dcasgd-mode adaptive --dcasgd-decay 0.5",
              "amb-dg --amb-time-limit 0.1 --amb-num-partitions 4 --async-master-batch-min 2",
              "fmb-dg --async-master time --async-master-time-limit 0.3",
              "local-sgd --local-steps 2",
              "diloco --local-steps 2 --outer-momentum 0.5 --outer-learning-rate 0.6",
              "anytime-sgd --amb-time-limit 0.2",
              "esync --esync-partitions 2 --esync-weighting steps",
              "fedprox --local-epochs 0.002 --client-fraction 0.5 --proximal-mu 0.2",
              "fedbuff --local-epochs 0.002 --buffer-size 2 --dispatch 2",
              "coded --coded-repetition fractional"),
          List.of(
              "sgd",
              "mom --momentum 0.8 --nesterov 1",
              "rms --rho 0.8 --epsilon 1e-6",
              "adm --betas 0.8,0.99 --rule-form keras --variance-steps 3",
              "adamw --weight-decay 0.1",
              "dual-averaging"),
          List.of(
              "",
              "--network mlp:8",
              "--network mlp:8,4",
              "--network cnn:4,kernel=5",
              "--network cnn:4,dense=7",
              "--network logistic-regression",
              "--network NETWORK.json"),
          List.of("", "--norm batch --batch-norm-decay 0.8", "--init normal:0.1,dense=he-uniform"),
          List.of(
              "",
              "--lr 0.05 --lrate-schedule linear --lrate-linear-end 0.001",
              "--lr 0.02 --lrate-schedule cosine:end=1e-3 --lrate-warmup-steps 2",
              "--lrate-schedule exponential --lrate-exp-decay-steps 2 --lrate-exp-rate 0.5",
              "--lrate-schedule epochs --lrate-epochs-every 0.1,0.2 --lrate-epochs-frac 0.3",
              "--lrate-schedule inverse-sqrt --lrate-sqrt-k 2 --lrate-sqrt-mu 3"),
          List.of(
              "",
              "--codec qsgd:4,bucket=64+min=1+zstd",
              "--codec topk:0.1,sampled+ef+min=1 --downlink-codec int8:bucket=64",
              "--codec powersgd:1+ef+min=1 --downlink-codec bf16",
              "--codec atomo-svd:2+min=1",
              "--codec randomk:0.2+momentum=0.5+min=1",
              "--codec lss:0.3,2+min=1",
              "--codec threshold+ef+biases+min=1+lz4"),
          List.of("", "--induce cedar", "--induce 0.1,0.05,0.5;0.2,0.01,0.5 --induce-scale 0.5"),
          List.of("", "--shards contiguous", "--shards by-class", "--split-by-class 1"),
          List.of("", "--augment crop,flip --label-smoothing 0.1", "--clip-norm 1", "--seed 17"));

  /** Other draws with each value of the property. */
  private static final long SEED = Long.getLong("amb.test.seed", 0);

  private static final String VIRTUAL =
      "--engine sim --cost-per-example 0.01 --speed 1,0.7 --latency 0.001 --bandwidth 1e8";

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    String table =
        IntStream.range(0, 60)
            .mapToObj(
                i -> "%d.5,%d,%d,%d,%s".formatted(i % 7, i % 5, i % 11, i % 3, "ab".charAt(i % 2)))
            .collect(Collectors.joining("\n"));
    Files.writeString(directory.resolve("TABLE.csv"), "p,q,r,s,label\n" + table + "\n");
    Files.writeString(directory.resolve("NETWORK.json"), Networks.json("mlp:8"));
  }

  /** Hundreds of specifications that are not run, in each of which some entries have arguments. */
  @Tag("lab")
  @Test
  void hundredsOfSpecificationsComeBack() throws IOException {
    assertTrue(specifications(new Random(SEED), 200) > 20);
  }

  @Tag("system")
  @Test
  void aSpecificationComesBack() throws IOException {
    assertTrue(specifications(new Random(SEED), 50) > 5);
  }

  /** Returns the number of valid specifications among the random ones. */
  private int specifications(Random random, int tries) throws IOException {
    int valid = 0;
    for (int i = 0; i < tries; i++) {
      String command = command(random, random.nextBoolean() ? VIRTUAL : "");
      RunParts parts = valid(command + " --last-step 4");
      if (parts != null) {
        valid++;
        comesBack(command, parts);
      }
    }
    return valid;
  }

  private void comesBack(String command, RunParts run) throws IOException {
    Settings settings = run.settings();
    Map<String, String> network = run.describeNetwork();

    RunParts rank = RunParts.of(RecordedSettings.parse(settings.toJson()));
    assertEquals(settings.canonical(), rank.settings().canonical(), command);
    assertSame(settings.all(), rank.settings().all(), command);
    assertEquals(network, rank.describeNetwork(), command);

    RunDirectory recorded = record(run);
    RunInfo info = recorded.read();
    RunParts again = parts(List.of("--config", recorded.info().toString()));
    assertSame(values(settings), values(again.settings()), command);
    assertEquals(network, again.describeNetwork(), command);

    Path printed = Files.writeString(directory.resolve("p.yaml"), PrintedConfig.text(settings));
    RunParts fromFile = parts(List.of("--config", printed.toString()));
    assertSame(values(settings), values(fromFile.settings()), command);

    List<String> resume = List.of("--resume", recorded.path().toString(), "--last-step", "6");
    RunParts resumed = RunParts.of(ResumeOptions.complete(CommandLine.parse(resume).settings()));
    Map<String, Object> longer = values(settings);
    longer.put(LAST_STEP.name(), 6L);
    assertSame(longer, values(resumed.settings()), command);
    RunNetwork.check(info, resumed.describeNetwork());

    assertEquals(run.parameters(), RunNetwork.of(info).parameters(), command);
  }

  private static void assertSame(
      Map<String, Object> expected, Map<String, Object> found, String command) {
    Map<String, String> differences = new LinkedHashMap<>();
    expected.forEach(
        (name, value) -> {
          if (!Objects.equals(String.valueOf(value), String.valueOf(found.get(name)))) {
            differences.put(name, value + " != " + found.get(name));
          }
        });
    assertEquals(Map.of(), differences, command);
    assertEquals(expected.keySet(), found.keySet());
  }

  private RunDirectory record(RunParts run) throws IOException {
    RunDirectory recorded = new RunDirectory(directory.resolve("recorded"));
    Files.createDirectories(recorded.path());
    Map<String, Object> all = run.settings().all();
    recorded.write(
        new RunInfo(
            RunInfo.FORMAT, "r", "", List.of(), all, 1, run.describeNetwork(), Map.of(), null));
    return recorded;
  }

  /** What a run is told, without where it is written. Options of its scheme have a value. */
  private static Map<String, Object> values(Settings settings) {
    Map<String, Object> values = new LinkedHashMap<>(settings.all());
    for (Setting<?> option : Schemes.named(settings.get(SCHEME)).options()) {
      if (values.get(option.name()) == null && option.fallback() != null) {
        values.put(option.name(), option.usual());
      }
    }
    List.of(RUN_DIRECTORY, RUNS_DIR, RESUME, COST).forEach(place -> values.remove(place.name()));
    return values;
  }

  /** Every way to read a run, with the parameters that it ends with. */
  @Tag("system")
  @Test
  void aRunComesBack() throws Exception {
    runsComeBack(new Random(SEED), 4);
  }

  @Tag("lab")
  @Test
  void manyRunsComeBack() throws Exception {
    runsComeBack(new Random(SEED), 12);
  }

  private void runsComeBack(Random random, int tries) throws Exception {
    for (int i = 0; i < tries; ) {
      String command = command(random, VIRTUAL) + " --last-step 4 --cost-per-test-example 0";
      if (valid(command) != null) {
        runComesBack(command, directory.resolve("run-" + i++));
      }
    }
  }

  private void runComesBack(String command, Path folder) throws Exception {
    RunDirectory run = train(folder.resolve("run"), command);
    String sha256 = run.read().ending().parametersSha256();
    RunDirectory again = train(folder.resolve("again"), "--config " + run.info());
    assertEquals(sha256, again.read().ending().parametersSha256(), command);

    float[] parameters = last(run).parameters();
    Training.Builder builder = Training.builder();
    typed(command).forEach(builder::option);
    TrainingResult result = builder.run();
    assertArrayEquals(parameters, result.parameters(), command);

    EvaluationRecord tested = tests(run.masterRecords()).get(0);
    said(() -> new EvaluateCommand().run(List.of(run.path().toString())));
    assertEquals(tested.accuracy(), tests(run.evaluatorRecords()).get(0).accuracy(), command);

    String out = folder.resolve("p.npz").toString();
    said(() -> new ExportCommand().run(List.of(run.path().toString(), "--output", out)));
    assertTrue(Files.size(Path.of(out)) > 4L * parameters.length, command);

    String paths = run.path() + " " + again.path();
    String compared = said(() -> new RunsCommand().run(List.of(("compare " + paths).split(" "))));
    assertEquals(
        List.of(),
        compared.lines().filter(line -> line.matches("--(?!run-directory).*")).toList(),
        compared);

    // Of the others, workers look for messages while they compute, which no record keeps.
    if (!command.matches(".* (esync|amb-dg|fmb-dg) .*")) {
      RunDirectory replay = train(folder.resolve("replay"), "--replay " + run.path());
      assertEquals(sha256, replay.read().ending().parametersSha256(), command);
      RunNetwork.check(run.read(), replay.read().environment());
    }

    String same = "--resume " + run.path() + " --last-step 6";
    assertEquals(0, new TrainCommand().run(new ArrayList<>(List.of(same.split(" ")))), command);
    RunNetwork.check(again.read(), run.read().environment());
    assertEquals(6, run.read().ending().steps(), command);
  }

  /** Of two networks and two codecs, on real ranks, as in virtual time and in one process. */
  @Tag("lab")
  @Test
  void ranksTrainWhatWasAsked() throws IOException {
    Random random = new Random(SEED);
    for (int units : new int[] {1 + random.nextInt(20), 21 + random.nextInt(20)}) {
      String command =
          "toy fmb sgd 8 --last-step 3 --evaluate last --lrate-schedule cosine:end=0.01"
              + " --codec qsgd:4,bucket=32+min=1 --network mlp:%d,4".formatted(units);
      RunDirectory ranks = train(directory.resolve("mpj-" + units), command);
      RunDirectory virtual =
          train(directory.resolve("sim-" + units), command + " --engine sim --cost-per-example 1");
      assertEquals(
          virtual.read().ending().parametersSha256(), ranks.read().ending().parametersSha256());
      // 100 features, 10 classes.
      assertEquals(101 * units + 4 * (units + 1) + 10 * 5, last(ranks).layout().size());
      RunNetwork.check(virtual.read(), ranks.read().environment());
      String alone = command.replaceAll(" --codec \\S+", "") + " --workers 0";
      RunNetwork.check(
          virtual.read(), train(directory.resolve("alone-" + units), alone).read().environment());
    }
  }

  @Tag("system")
  @Test
  void anExperimentOfOneHasTheRunsParameters() throws Exception {
    String command = "toy fmb sgd 8 --network mlp:8,4 --last-step 3 " + VIRTUAL;
    RunDirectory run = train(directory.resolve("run"), command);
    Path file = directory.resolve("one.yaml");
    String options =
        typed(command).entrySet().stream()
            .map(option -> "  %s: '%s'%n".formatted(option.getKey(), option.getValue()))
            .collect(Collectors.joining());
    Files.writeString(
        file,
        "description: One run.\noptions:\n"
            + options
            + "matrix: {scheme: [fmb]}\nseeds: [1]\nmeasures: {step: {of: seconds-per-step}}\n");
    Path out = directory.resolve("out");
    said(() -> new ExperimentCommand().run(List.of(file.toString(), "--out", out.toString())));
    try (var found = Files.walk(out)) {
      Path info = found.filter(path -> path.endsWith("run.json")).findFirst().orElseThrow();
      RunDirectory made = new RunDirectory(info.getParent());
      assertEquals(run.read().ending().parametersSha256(), made.read().ending().parametersSha256());
    }
  }

  private String command(Random random, String engine) {
    List<String> chosen =
        GROUPS.stream().map(group -> group.get(random.nextInt(group.size()))).toList();
    List<String> heads = new ArrayList<>();
    List<String> options = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      List<String> words = new ArrayList<>(List.of(chosen.get(i).split(" ")));
      if (i < 3) {
        heads.add(words.remove(0));
      }
      options.addAll(words);
    }
    heads.add("8");
    String text = String.join(" ", heads) + " " + String.join(" ", options) + " " + engine;
    return text.replaceAll(" +", " ")
        .strip()
        .replace("TABLE.csv", directory.resolve("TABLE.csv").toString())
        .replace("NETWORK.json", directory.resolve("NETWORK.json").toString())
        .concat(" --evaluate last --workers " + (2 + random.nextInt(2)));
  }

  /** The options of a command line, by long name. */
  private static Map<String, String> typed(String command) {
    Settings settings = CommandLine.parse(List.of(command.split(" "))).settings();
    return TrainSettings.ALL.stream()
        .filter(settings::has)
        .collect(Collectors.toMap(Setting::name, settings::given));
  }

  /** The parts of a run; null if the options are rejected. */
  private static RunParts valid(String command) {
    try {
      return parts(List.of(command.split(" ")));
    } catch (UsageException e) {
      return null;
    }
  }

  private static RunParts parts(List<String> arguments) {
    return RunParts.of(RunSession.complete(CommandLine.parse(arguments).settings()));
  }

  private static RunDirectory train(Path path, String command) throws IOException {
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.addAll(List.of("--run-directory", path.toString()));
    assertEquals(0, new TrainCommand().run(arguments), command);
    return new RunDirectory(path);
  }

  private static Checkpoint last(RunDirectory run) throws IOException {
    return new CheckpointDirectory(run.checkpoints(), Origin.ANY).latest(w -> {}).orElseThrow();
  }

  private static List<EvaluationRecord> tests(List<LogRecord> records) {
    return LogRecord.of(EvaluationRecord.class, records);
  }

  private static String said(Callable<Integer> command) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertEquals(0, command.call());
    } finally {
      System.setOut(out);
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
