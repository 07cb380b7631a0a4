package io.github.amb.runtime.train.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.PrintedConfig;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunPartsTest {
  private static final String TRAIN_IMAGES = "train-images-idx3-ubyte";
  private static final String TRAIN_LABELS = "train-labels-idx1-ubyte";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found no data set; see amb train"
            + " --help",
        "toy fmb rms | expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found no batch size; see"
            + " amb train --help",
        "toi fmb rms 4 | unknown data set 'toi', did you mean 'toy'?",
        "toy fnb rms 4 | unknown scheme 'fnb', did you mean 'fmb'?",
        "toy fmb rmsprp 4 | unknown update rule 'rmsprp', did you mean 'rmsprop'?",
        "toy fmb best 4 | unknown update rule 'best'; expected one of sgd, mom, rms, adm, adamw, dual-averaging",
        "toy fmb adam:0.9 4 | update rule adm: expected adm, found '0.9'",
        "toy fmb rms 4 --lrate-schedule step | unknown learning-rate schedule 'step'; expected one of"
            + " const, linear, cosine, exponential, epochs, inverse-sqrt, range, plateau",
        "toy fmb rms 4 --network toy-cnv | unknown network 'toy-cnv', did you mean 'toy-conv'?",
        "toy fmb rms 4 --network sigmoid-mlp | network 'sigmoid-mlp' expects examples of 1x28x28"
            + " (channels x height x width), found 1x10x10 in data set 'toy': choose another"
            + " --network, such as cnn:16,32",
        "toy fmb rms 4 --workers 10000 --induce nigara | unknown delay model 'nigara', did you mean"
            + " 'niagara'?; or write a mixture as mean,std,weight;mean,std,weight;...",
        "toy amb rms 4 --amb_time_limit 1 --amb_num_partitions 5 | --amb-num-partitions: expected"
            + " 1 to 4 (the batch size), found 5",
        "mnist fmb rms 4 | data set 'mnist' is read from files: set --data-dir"
            + " DIR; to download them: amb data fetch mnist --data-dir DIR",
        "toy fmb sgd 4 --codec auto+zstd | codec auto: expected bits per second above 0, found '+zstd'",
        "toy fmb sgd 4 --codec auto:0 | codec auto: expected bits per second above 0, found '0'",
        "toy fmb sgd 4 --downlink-codec auto | --downlink-codec auto: expected a codec by its name, as"
            + " auto is for gradients alone",
        "toy fmb sgd 4 --precision fp16 | --precision: expected one of fp32, bf16, auto, found 'fp16'",
        "toy fmb sgd 4 --precision bf16 --reproducible | --precision bf16: expected --reproducible"
            + " none, found avx2",
        "toy fmb sgd 4 --precision bf16 --gradients none --engine sim --cost-per-example 1 |"
            + " --precision bf16: expected --gradients real, found none",
        "toy fmb sgd 4 --lrate_schedule linear | linear schedule: expected a last step, found none;"
            + " set --last-step",
        "toy fmb mom 4 --lrate-schedule linear --last-step 9 | --lrate-linear-end: expected a value,"
            + " as its default 0.01 is not below --learning-rate 0.01, found none",
        "toy fmb sgd 4 --lrate-schedule linear --last-step 9 --learning-rate 0.001 |"
            + " --lrate-linear-end: expected a value, as its default 0.01 is not below"
            + " --learning-rate 0.001, found none",
      })
  void aMistakeIsNamedWithWhatWasExpected(String command, String problem) {
    assertEquals(List.of(problem), problems(command));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "toy diloco rms 4 --codec signsgd | --codec signsgd: expected a codec that keeps magnitudes,"
            + " as workers of scheme diloco send changes of parameters, found one that sends only"
            + " signs; use ef-sign",
        "toy coded rms 4 --codec qsgd:4 | --codec qsgd:4: expected a lossless codec, as the master"
            + " of scheme coded multiplies results by large weights, found a lossy one; use"
            + " none+zstd",
        "toy dcasgd sgd 4 --codec signsgd | --codec signsgd: expected a codec that leaves gradients"
            + " as they are in the mean, as scheme dcasgd corrects them before the codec's part of"
            + " the update, found one that sends only signs; use none",
        "toy dcasgd sgd 4 --codec adacomp | --codec adacomp: expected a codec that leaves gradients"
            + " as they are in the mean, as scheme dcasgd corrects them before the codec's part of"
            + " the update, found one that divides by staleness; use none",
        "toy dcasgd rms 4 --downlink-codec fp16 | --downlink-codec fp16: expected a lossless codec,"
            + " as scheme dcasgd corrects with the parameters that a worker was sent, found a"
            + " lossy one; use none",
      })
  void codecsThatASchemeCannotUseAreRejected(String command, String problem) {
    assertEquals(List.of(problem), problems(command));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "toy async sgd 4 | --topology sliced: expected a scheme",
        "toy amb sgd 4 --amb-time-limit auto:accuracy --amb-num-partitions 2 | --topology sliced:"
            + " expected a scheme",
        "toy fmb sgd 4 --codec powersgd+ef | --topology sliced: expected a --codec that works",
        "toy fmb sgd 4 --codec topk+ef21 | --topology sliced: expected a --codec that works",
        "toy fmb sgd 4 --codec demo | --topology sliced: expected a --codec that works",
        "toy fmb sgd 4 --codec adacomp | --topology sliced: expected a --codec that works",
        "toy fmb sgd 4 --non-finite drop | --topology sliced: expected --non-finite halt",
        "toy fmb sgd 4 --workers 0 | --topology sliced: expected workers",
      })
  void whatCannotBeSlicedIsRejected(String command, String problem) {
    List<String> found = problems(command + " --topology sliced");
    assertEquals(1, found.size(), found.toString());
    assertTrue(found.get(0).startsWith(problem), found.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "toy fmb sgd 4 --momentum 0.9 | update rule sgd: has no use for --momentum, which belongs"
            + " to mom; leave it out or change the update rule",
        "toy fmb mom 4 --betas 0.9,0.99 | update rule mom: has no use for --betas, which belongs to"
            + " adm, adamw; leave it out or change the update rule",
        "toy fmb sgd 4 --lrate-epochs-every 30 | learning-rate schedule const: has no use for"
            + " --lrate-epochs-every, which belongs to epochs; leave it out or change the"
            + " learning-rate schedule",
        "linear fmb sgd 4 --label-smoothing 0.1 | --label-smoothing: expected a network that"
            + " has softmax and cross-entropy, found linear-regression; leave it out",
        "toy fmb mom 4 --split-by-class 1 --shards strided | --split-by-class 1: expected --shards"
            + " by-class, found strided",
        "toy fmb mom 4 --clip-norm 1 --clip-value 1 | --clip-norm: expected no --clip-value beside"
            + " it, found both; leave one out",
        "toy fmb sgd 4 --clip-value 1 --codec signsgd | --clip-value: has no effect with --codec"
            + " signsgd, whose master takes signs of mean gradients; leave it out or change the"
            + " codec",
      })
  void settingsThatTheUpdateIgnoresAreRejected(String command, String problem) {
    assertEquals(List.of(problem), problems(command));
  }

  /** The last one's workers apply the rule, and its master has none with momentum. */
  @Test
  void momentumIsInTheCodecOrInTheRule() {
    for (String codec : List.of("dgc:0.01", "topk:0.1+momentum=0.5")) {
      for (String rule : List.of("mom", "adm", "adamw")) {
        assertEquals(
            List.of(
                "--codec %s: expected an update rule without momentum, as the codec has it, found %s; use sgd"
                    .formatted(codec, rule)),
            problems("toy fmb %s 4 --codec %s".formatted(rule, codec)));
      }
    }
    parts("toy fmb sgd 4 --codec dgc:0.01");
    parts("toy fmb mom 4 --codec dgc:0.01,momentum=0");
    parts("toy local-sgd mom 4 --codec dgc:0.01");
    assertEquals(
        List.of(
            "--codec dgc: expected a scheme without momentum, as the codec has it, found diloco; use local-sgd"),
        problems("toy diloco sgd 4 --local-steps 2 --codec dgc"));
    parts("toy diloco sgd 4 --local-steps 2 --outer-momentum 0 --codec dgc");
  }

  @Test
  void aLearningRateMayRiseToAGivenEnd() {
    parts("toy fmb rms 4 --lrate-schedule linear --last-step 9 --lrate-linear-end 0.01");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local-sgd", "diloco", "anytime-sgd --amb-time-limit 1", "esync"})
  void workersDoNotApplyDualAveraging(String scheme) {
    String name = scheme.split(" ")[0];
    assertEquals(
        List.of(
            "update rule dual-averaging: expected a scheme whose master applies the rule,"
                + " found %s, whose workers apply it".formatted(name)),
        problems("toy " + scheme.replaceFirst(name, name + " dual-averaging 4")));
  }

  @Test
  void scaffoldTakesChangesForSumsOfGradients() {
    assertEquals(
        List.of(
            "update rule mom: expected sgd, as scheme scaffold takes a change for a sum of gradients"),
        problems("toy scaffold mom 4"));
  }

  @Test
  void ambNeedsItsTwoOptions() {
    assertEquals(
        List.of(
            "scheme amb: expected --amb-time-limit (seconds above 0, auto, or auto:accuracy): how"
                + " long each worker computes per step, T; amb finds the best with auto; found none",
            "scheme amb: expected --amb-num-partitions (integer, 1 or more): slices per batch, P, at"
                + " most the batch size; found none"),
        problems("toy amb rms 4"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "toy fmb rms 4 --target-accuracy 0.5 --evaluate last | --target-accuracy: expected --evaluate"
            + " background or blocking, found last, which tests only after the end",
        "toy fmb rms 4 --workers 2 --min-workers 3 | --min-workers: expected at most --workers 2,"
            + " found 3",
        "toy fmb rms 4 --engine sim --workers 1 --gradients none --evaluator process | --evaluator"
            + " process: expected --gradients real, found none",
        "toy fmb rms 4 --workers 0 --downlink-codec fp16 | --downlink-codec: expected at least 1"
            + " worker, found --workers 0, where nothing is sent",
        "toy fmb rms 4 --test-size 0 | --test-size: expected 1 or more, or -1 for all, found '0'",
      })
  void whatCannotBeDoneTogetherIsRejected(String command, String problem) {
    assertEquals(List.of(problem), problems(command));
  }

  @Test
  void allFaultsThatCannotHappenAreNamed() {
    assertEquals(
        List.of(
            "--inject 'kill:rank=9,step=1': rank: expected 1 to 2, the number of workers, or any,"
                + " found '9'",
            "--inject 'kill:rank=8,step=1': rank: expected 1 to 2, the number of workers, or any,"
                + " found '8'"),
        problems("toy fmb rms 4 --workers 2 --inject kill:rank=9,step=1;kill:rank=8,step=1"));
  }

  @Test
  void everythingWrongIsReportedAtOnce() {
    assertEquals(
        List.of(
            "unknown scheme 'anb', did you mean 'amb'?",
            "unknown update rule 'rmss', did you mean 'rms'?",
            "unknown learning-rate schedule 'cosin', did you mean 'cosine'?",
            "unknown delay model 'cedr', did you mean 'cedar'?; or write a mixture as"
                + " mean,std,weight;mean,std,weight;...",
            "unknown data set 'mnst', did you mean 'mnist'?",
            "unknown network 'toyfc', did you mean 'toy-fc'?"),
        problems("mnst anb rmss 4 --induce cedr --network toyfc --lrate-schedule cosin"));
  }

  @Test
  void moreWorkersThanExamplesAreRejected() throws IOException {
    mnist(3);
    assertEquals(
        List.of("--workers: expected at most one per training example (3), found 4"),
        problems("mnist fmb rms 4 --workers 4 --data-dir " + directory));
    assertEquals(
        3, parts("mnist fmb rms 4 --workers 3 --data-dir " + directory).data().train().count());
  }

  @Test
  void aDirectoryWithoutTheDataSetIsNamed() {
    List<String> problems = problems("mnist fmb rms 4 --data-dir " + directory);
    assertEquals(1, problems.size());
    assertTrue(
        problems.get(0).startsWith("data set 'mnist': expected " + TRAIN_IMAGES + " or "),
        problems.get(0));
    assertTrue(problems.get(0).contains(directory.toString()), problems.get(0));
  }

  @Test
  void aTruncatedFileIsNamedWithItsOffset() throws IOException {
    mnist(3);
    byte[] images = Files.readAllBytes(directory.resolve(TRAIN_IMAGES));
    Files.write(directory.resolve(TRAIN_IMAGES), Arrays.copyOf(images, images.length - 1));
    assertEquals(
        List.of(
            directory.resolve(TRAIN_IMAGES)
                + ": offset 16: expected 2352 bytes of 3 images of 28x28, found 2351 bytes: the"
                + " file is truncated"),
        problems("mnist fmb rms 4 --data-dir " + directory));
  }

  @Test
  void aFileUnderAnotherNameIsRejected() throws IOException {
    mnist(3);
    Files.copy(directory.resolve("t10k-images-idx3-ubyte"), directory.resolve("swap"));
    Files.delete(directory.resolve(TRAIN_LABELS));
    Files.move(directory.resolve("swap"), directory.resolve(TRAIN_LABELS));
    assertEquals(
        List.of(
            directory.resolve(TRAIN_LABELS)
                + ": offset 0: expected magic number 0x00000801 (IDX labels), found 0x00000803"),
        problems("mnist fmb rms 4 --data-dir " + directory));
  }

  @Test
  void aRunEndsAfterSomeEpochsOnlyIfNothingElseEndsIt() {
    assertEquals(5, epochs("toy fmb rms 4"));
    assertEquals(Double.POSITIVE_INFINITY, epochs("toy fmb rms 4 --last-step 9"));
    assertEquals(Double.POSITIVE_INFINITY, epochs("toy fmb rms 4 --max-time 9"));
    assertEquals(Double.POSITIVE_INFINITY, epochs("toy fmb rms 4 --target-accuracy .9"));
    assertEquals(Double.POSITIVE_INFINITY, epochs("toy fmb rms 4 --max-epochs inf"));
    assertEquals(2.5, epochs("toy fmb rms 4 --max-epochs 2.5 --last-step 9"));
  }

  @Test
  void settingsAreCompletedWithTheUsualOnes() {
    Settings settings = parts("toy fmb adm 4").settings();
    assertEquals(0.001, settings.get(TrainSettings.LEARNING_RATE));
    assertEquals("toy-conv", settings.get(NetworkSettings.NETWORK));
  }

  @Test
  void thePrintedConfigurationMeansTheSameRun() throws IOException {
    for (String command : List.of("toy fmb rms 4", "toy sync mom 4 --max-time 9 --induce")) {
      Path file = directory.resolve("run.yaml");
      Files.writeString(file, PrintedConfig.text(settings(command)));
      assertEquals(
          parts(command).settings().all(), parts("--config " + file).settings().all(), command);
    }
  }

  @Test
  void classesOfWorkersAreCountedUnlessAllShareAnOrder() {
    String run = "optdigits fmb sgd 4 --network mlp --workers 3 --shards ";
    String counts = parts(run + "by-class").describeExamples().get(RunInfo.CLASSES_OF_WORKERS);
    int[] numbers =
        Arrays.stream(counts.split("\\D+")).skip(1).mapToInt(Integer::parseInt).toArray();
    DataSet data = DataSets.load("optdigits", null, 1);

    assertEquals(30, numbers.length);
    for (int label = 0; label < 10; label++) {
      int own = label;
      long all =
          IntStream.range(0, data.train().count())
              .filter(example -> data.train().label(example) == own)
              .count();
      assertEquals(all, numbers[label] + numbers[10 + label] + numbers[20 + label]);
    }
    assertEquals(Map.of(), parts(run + "shared").describeExamples());
  }

  private static double epochs(String command) {
    return parts(command).settings().get(TrainSettings.MAX_EPOCHS);
  }

  private static Settings settings(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.removeIf(String::isEmpty);
    return CommandLine.parse(words).settings();
  }

  /** In virtual time nothing is sent. */
  @Test
  void whatSendsNoEncryptedMessagesIsRejected() {
    List<String> problems = problems("toy fmb rms 4 --engine openmpi --encrypt");
    assertEquals(1, problems.size());
    assertTrue(problems.get(0).startsWith("--encrypt: expected --engine mpj, found openmpi"));
    assertTrue(parts("toy fmb rms 4 --engine sim --cost-per-example 1 --encrypt").simulated());
  }

  private static RunParts parts(String command) {
    return RunParts.of(settings(command));
  }

  private static List<String> problems(String command) {
    var error = assertThrows(UsageException.class, () -> parts(command));
    return error.getMessage().lines().toList();
  }

  /** Writes an MNIST of {@code count} black images of zeros for training and one for testing. */
  private void mnist(int count) throws IOException {
    images(TRAIN_IMAGES, count);
    labels(TRAIN_LABELS, count);
    images("t10k-images-idx3-ubyte", 1);
    labels("t10k-labels-idx1-ubyte", 1);
  }

  private void images(String name, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(16 + count * 784);
    bytes.putInt(0x803).putInt(count).putInt(28).putInt(28);
    Files.write(directory.resolve(name), bytes.array());
  }

  private void labels(String name, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 + count);
    bytes.putInt(0x801).putInt(count);
    Files.write(directory.resolve(name), bytes.array());
  }
}
