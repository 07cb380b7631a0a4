package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.AnytimeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.models.data.DataSettings;
import io.github.amb.runtime.console.OutputSettings;
import io.github.amb.runtime.host.RankSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  private static final String POSITIONAL = "expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, ";

  @Test
  void positionalArgumentsAreInOrder() {
    Settings settings = settings("mnist fmb rms 64");
    assertEquals("mnist", settings.get(DataSettings.DATA_SET));
    assertEquals("fmb", settings.get(TrainSettings.SCHEME));
    assertEquals("rms", settings.get(TrainSettings.UPDATE_RULE));
    assertEquals(64, settings.get(TrainSettings.BATCH_SIZE));
  }

  @Test
  void positionalArgumentsMayFollowOptions() {
    Settings settings = settings("--workers 3 mnist --seed=5 fmb rms 64");
    assertEquals(3, settings.get(RankSettings.WORKERS));
    assertEquals(5, settings.get(TrainSettings.SEED));
    assertEquals(64, settings.get(TrainSettings.BATCH_SIZE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--momentum 1 | --momentum: expected 0 up to less than 1, found '1'",
        "--betas 0.9 | --betas: expected two numbers from 0 up to less than 1, as 0.9,0.999, found"
            + " '0.9'",
        "--betas 0.9,1 | --betas: expected two numbers from 0 up to less than 1, as 0.9,0.999,"
            + " found '0.9,1'",
        "--epsilon 0 | --epsilon: expected above 0, found '0'",
        "--rule-form torch | --rule-form: expected one of tensorflow, pytorch, keras, found"
            + " 'torch'",
        "--clip-norm -1 | --clip-norm: expected above 0, found '-1'",
        "--init he | --init: unknown distribution 'he'; expected one of zeros, normal,"
            + " truncated-normal, uniform, he-normal, he-uniform, glorot-normal, glorot-uniform,"
            + " lecun-normal, lecun-uniform",
      })
  void constantsOfUpdateRulesHaveRanges(String option, String problem) {
    var error = assertThrows(UsageException.class, () -> settings("toy fmb adm 4 " + option));
    assertEquals(problem, error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mnist fmb rms 64",
        "cifar10 fmb rms 242 --test_size 100 --cuda cpu_master",
        "cifar10 amb rms 356 --amb_time_limit 6.2 --amb_num_partitions 16 --test_size 100"
            + " --cuda cpu_master --induce niagara",
        "mnist amb adm 64 --amb_time_limit 9.2 --amb_num_partitions 64"
            + " --starter_learning_rate 0.001",
        "mnist amb rms 4096 --amb_time_limit 9.2 --amb_num_partitions 64"
            + " --starter_learning_rate 0.001 --induce",
        "mnist amb rms 1024 --amb_time_limit 1.9 --amb_num_partitions 16",
        "cifar10 amb rms 256 --amb_time_limit 5.5 --amb_num_partitions 16 --test_size 100"
            + " --induce",
        "cifar10 fmb rms 256 --test_size 100 --induce",
      })
  void commandsOfPredecessorProgramsAreUnderstood(String command) {
    Settings settings = settings(command);
    assertEquals(command.contains("--test_size") ? 100 : -1, settings.get(TrainSettings.TEST_SIZE));
    assertEquals(
        command.contains("--induce") ? "niagara" : "none", settings.get(TrainSettings.INDUCE));
    Double rate = settings.get(TrainSettings.LEARNING_RATE);
    assertEquals(command.contains("learning_rate") ? 0.001 : null, rate);
  }

  @Test
  void optionsOfPredecessorProgramsAreUnderstood() {
    Settings settings =
        settings(
            "mnist fmb rms 64 --amb_time_limit 1 --amb_num_partitions 2 --induce_comp cedar"
                + " --weight_decay 0 --log_freq 2 --last_step 9 --test_size -1 --data_dir a_b"
                + " --gpus_per_node -1 --learning_rate 0.5 --lrate_schedule epochs"
                + " --lrate_linear_end 0.02 --lrate_exp_decay_steps 3 --lrate_exp_rate 0.7"
                + " --lrate_exp_staircase 0 --lrate_epochs_every 30,60 --lrate_epochs_frac 0.1");
    assertEquals("cedar", settings.get(TrainSettings.INDUCE));
    assertEquals("a_b", settings.get(DataSettings.DATA_DIR));
    assertEquals(List.of(30.0, 60.0), settings.get(Schedules.EPOCHS_EVERY));
    assertEquals(0.7, settings.get(Schedules.EXP_RATE));
    assertEquals(0.02, settings.get(Schedules.LINEAR_END));
  }

  @Test
  void namesOfPyTorchUsersAreUnderstood() {
    Settings settings = settings("--lr 0.5 --epochs 3 --steps 7");
    assertEquals(0.5, settings.get(TrainSettings.LEARNING_RATE));
    assertEquals(3, settings.get(TrainSettings.MAX_EPOCHS));
    assertEquals(7, settings.get(TrainSettings.LAST_STEP));
  }

  @Test
  void optionsThatChooseGpusAreUnderstood() {
    Settings settings = settings("mnist fmb rms 64 --cuda gpu_all --gpus_per_node 2");
    assertEquals("gpu_all", settings.get(TrainSettings.DEVICE));
    assertEquals(2, settings.get(TrainSettings.GPUS_PER_NODE));
    assertEquals("cpu", settings("mnist fmb rms 64 --cuda none").get(TrainSettings.DEVICE));
    assertProblems(
        "--cuda opencl --gpus-per-node 0",
        "--cuda: expected one of cpu, gpu, gpu:opencl, gpu:nd4j, cpu_master, gpu_master, gpu_all,"
            + " found 'opencl'",
        "--gpus-per-node: expected 1 or more, or -1 for as many as there are, found '0'");
  }

  @Test
  void aSecondValueIsNamedAlsoIfTheFirstIsWrong() {
    assertProblems(
        "mnist fmb rms none --batch-size 3",
        "batch size: expected integer, 1 or more, found 'none'",
        "--batch-size: expected one value, found a second one, '3'");
  }

  @Test
  void negativeNumbersAreValues() {
    assertEquals(-1, settings("--test-size -1").get(TrainSettings.TEST_SIZE));
    assertEquals(-1, settings("--test_size=-1").get(TrainSettings.TEST_SIZE));
    assertEquals(-7L, settings("--seed -7").get(TrainSettings.SEED));
    assertProblems("--learning-rate -1e-3", "--learning-rate: expected above 0, found '-1e-3'");
  }

  @Test
  void valuesKeepTheirCharacters() {
    CommandLine line = CommandLine.parse(List.of("--data_dir=/a_b/\"c\"=d", "--runs_dir", "'e_f'"));
    assertEquals("/a_b/\"c\"=d", line.settings().get(DataSettings.DATA_DIR));
    assertEquals("'e_f'", line.settings().get(OutputSettings.RUNS_DIR));
  }

  @Test
  void defaultsAreThoseOfTheSeed() {
    Settings settings = settings("");
    assertEquals(5e-4, settings.get(TrainSettings.WEIGHT_DECAY));
    assertEquals("const", settings.get(TrainSettings.LRATE_SCHEDULE));
    assertEquals(List.of(10.0), settings.get(Schedules.EPOCHS_EVERY));
    assertEquals(-1, settings.get(TrainSettings.TEST_SIZE));
    assertFalse(settings.has(TrainSettings.WEIGHT_DECAY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--workers -1 | --workers: expected 0 to 10000, found '-1'",
        "--workers 2.5 | --workers: expected 0 to 10000, found '2.5'",
        "--workers 99999999999 | --workers: expected 0 to 10000, found '99999999999'",
        "--workers= | --workers: expected 0 to 10000, found ''",
        "--last-step -1 | --last-step: expected 0 (no limit) or more, found '-1'",
        "--seed 1e3 | --seed: expected an integer, found '1e3'",
        "--weight-decay 1e999 | --weight-decay: expected 0 or more, found '1e999', more than a number can be",
        "--weight-decay inf | --weight-decay: expected 0 or more, found 'inf'",
        "--weight-decay NaN | --weight-decay: expected 0 or more, found 'NaN'",
        "--learning-rate 0 | --learning-rate: expected above 0, found '0'",
        "--learning-rate 1d | --learning-rate: expected above 0, found '1d'",
        "--learning-rate 0x1p3 | --learning-rate: expected above 0, found '0x1p3'",
        "--starter_learning_rate x | --starter-learning-rate: expected above 0, found 'x'",
        "--max-time 1e999 | --max-time: expected seconds above 0, or inf, found '1e999', more than a number can be",
        "--max-epochs nan | --max-epochs: expected above 0, or inf, found 'nan'",
        "--evaluate-every last | --evaluate-every: expected steps as 10, or seconds as 60s,"
            + " found 'last'",
        "--target-accuracy 1.1 | --target-accuracy: expected above 0, up to 1, found '1.1'",
        "--test-size -2 | --test-size: expected 1 or more, or -1 for all, found '-2'",
        "--network= | --network: expected a name that amb models lists, a .json or .zip file of DL4J, or an .onnx file, found ''",
        "--lrate-epochs-every 30,,60 | --lrate-epochs-every: expected epochs above 0, as 10 or"
            + " 30,60,80, found '30,,60'",
        "--lrate-epochs-every 0 | --lrate-epochs-every: expected epochs above 0, as 10 or"
            + " 30,60,80, found '0'",
        "--stall-after 2.9 | --stall-after: expected seconds, 3 to 1000000, found '2.9'",
        "--start-limit 1e300 | --start-limit: expected seconds above 0, up to 1000000, found"
            + " '1e300'",
        "mnist fmb rms 0 | batch size: expected integer, 1 or more, found '0'",
        "mnist fmb rms x | batch size: expected integer, 1 or more, found 'x'",
        "mnist fmb rms 64 5 | " + POSITIONAL + "found also '5'",
        "mnist fmb rms -5 | batch size: expected integer, 1 or more, found '-5'",
        "--wrokers 3 | unknown option --wrokers, did you mean '--workers'?",
        "--amb_tme_limit=3 | unknown option --amb-tme-limit=3, did you mean '--amb-time-limit'?",
        "--frobnicate | unknown option --frobnicate; see --help",
        "-x | unknown option -x; see --help",
        "--workers | --workers: expected a value, found none",
        "--workers --seed 3 | --workers: expected a value, found none",
        "mnist --data-set toy | --data-set: expected one value, found a second one, 'toy'",
      })
  void mistakesAreNamedWithWhatWasExpectedAndFound(String command, String problem) {
    assertProblems(command, problem);
  }

  @Test
  void theLastOfRepeatedOptionsCounts() {
    assertEquals(2, settings("--seed 1 --seed 2").get(TrainSettings.SEED));
    assertEquals("cedar", settings("--induce --induce-comp cedar").get(TrainSettings.INDUCE));
    assertProblems("--seed x --seed 2", "--seed: expected an integer, found 'x'");
  }

  @Test
  void infinityIsAValueWhereItMakesSense() {
    assertEquals(
        Double.POSITIVE_INFINITY, settings("--max-epochs inf").get(TrainSettings.MAX_EPOCHS));
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    assertProblems(
        "mnist fmb rms none --wrokers 3 --seed x --log-frequency=2 --test-size -9",
        "unknown option --wrokers, did you mean '--workers'?",
        "unknown option --log-frequency=2, did you mean '--log-freq'?",
        "batch size: expected integer, 1 or more, found 'none'",
        "--seed: expected an integer, found 'x'",
        "--test-size: expected 1 or more, or -1 for all, found '-9'");
  }

  @Test
  void helpIsGivenWhateverElseWasTyped() {
    assertEquals("", parse("--help").help());
    assertEquals("", parse("mnist -h --workers x").help());
    assertEquals("amb", parse("mnist --workers x --help amb").help());
    assertNull(parse("mnist").help());
  }

  @Test
  void ranksReadTheSettingsOfTheLauncher() throws IOException {
    Settings settings = settings("mnist amb rms 64 --induce --test_size -1 --amb_time_limit .5");
    Settings again = RecordedSettings.parse(settings.toJson());
    assertEquals(settings.all(), again.all());
    assertEquals("niagara", again.get(TrainSettings.INDUCE));
  }

  private static CommandLine parse(String command) {
    return CommandLine.parse(words(command));
  }

  private static Settings settings(String command) {
    return parse(command).settings();
  }

  private static List<String> words(String command) {
    return Arrays.stream(command.split(" ")).filter(word -> !word.isEmpty()).toList();
  }

  private static void assertProblems(String command, String... problems) {
    var error = assertThrows(UsageException.class, () -> parse(command));
    assertEquals(List.of(problems), error.getMessage().lines().toList());
  }

  @Test
  void anOptionOfASchemeHasANameOfItsOwn() {
    Setting<Integer> beta = Setting.integer("beta", 1, 1).or("momentum");
    Setting<Integer> another = Setting.integer("beta", 2, 1);
    TrainSettings.checkNames(List.of(scheme("one", beta), scheme("two", beta)), Set.of("config"));
    assertEquals(
        "one: expected an option name that nothing else has, found --momentum; rename it",
        clash(Set.of("momentum"), scheme("one", beta)));
    assertEquals(
        "two: expected an option name that nothing else has, found --beta; rename it",
        clash(Set.of(), scheme("one", beta), scheme("two", another)));
  }

  @Test
  void aSchemeFromOutsideSharesAnOptionOfOurs() {
    TrainSettings.checkNames(
        List.of(Schemes.named("amb"), scheme("mine", AnytimeOptions.TIME_LIMIT)), Set.of());
  }

  private static Schemes.Entry scheme(String name, Setting<?> option) {
    return new Schemes.Entry(Description.of(name, "a scheme"), options -> null, option);
  }

  private static String clash(Set<String> taken, Schemes.Entry... schemes) {
    return assertThrows(
            UsageException.class, () -> TrainSettings.checkNames(List.of(schemes), taken))
        .getMessage();
  }
}
