package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.record.EndRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.runs.ExportCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs that start from the parameters of another one, which has a validation part. */
@Timeout(120)
class StartFromTest {
  /** A run at such a rate keeps its parameters. */
  private static final String STILL =
      "toy fmb sgd 8 --network logistic-regression --workers 0 --evaluate last"
          + " --learning-rate 1e-30 --weight-decay 0 --last-step 1 --init-from ";

  @TempDir Path folder;
  private RunDirectory first;

  @BeforeEach
  void train() throws IOException {
    first =
        train(
            "first",
            "toy fmb sgd 8 --network logistic-regression --workers 0 --last-step 3"
                + " --validation 0.2 --evaluate blocking --evaluate-every 2");
  }

  private RunDirectory train(String name, String command) throws IOException {
    return train(name, command, 0);
  }

  private RunDirectory train(String name, String command, int exitCode) throws IOException {
    Path path = folder.resolve(name);
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.addAll(List.of("--run-directory", path.toString()));
    assertEquals(exitCode, new TrainCommand().run(arguments));
    return new RunDirectory(path);
  }

  private static String parameters(RunDirectory run) throws IOException {
    return run.read().ending().parametersSha256();
  }

  @Test
  void aRunStartsFromTheParametersOfAnother() throws Exception {
    Path file = first.checkpoints().resolve("step-000000003/parameters.npy");
    Path archive = export("npz");
    Path tensors = export("safetensors");
    for (Path from : List.of(first.path(), file.getParent(), file, archive, tensors)) {
      RunDirectory run = train("from-" + from.getFileName(), STILL + from);
      Path read = from == archive || from == tensors ? from : file;
      assertEquals(parameters(first), parameters(run), from.toString());
      assertTrue(run.read().data().containsValue(Sha256.of(read)), from.toString());
    }
  }

  private Path export(String format) throws Exception {
    Path file = folder.resolve("exported." + format);
    new ExportCommand()
        .run(List.of(first.path().toString(), "--format", format, "--output", file.toString()));
    return file;
  }

  /** Shorter, of another type, with a place outside, and without a header. */
  @Test
  void otherSafetensorsAreRejected() throws Exception {
    byte[] whole = Files.readAllBytes(export("safetensors"));
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    List<String> spoiled =
        List.of(
            text.substring(0, text.length() - 4),
            text.replace("F32", "F16"),
            text.replace("offsets\":[0", "offsets\":[9"),
            text.replace("shape", "shade"),
            text.substring(0, 60),
            text.substring(8),
            "");
    for (int i = 0; i < spoiled.size(); i++) {
      Path file = folder.resolve("spoiled-" + i + ".safetensors");
      Files.write(file, spoiled.get(i).getBytes(StandardCharsets.ISO_8859_1));
      String cause = train("spoiled-" + i, STILL + file, 2).read().ending().cause();
      assertTrue(cause.startsWith("--init-from: "), cause);
    }
  }

  @Test
  void anotherNetworkIsRejectedWithItsShape() throws IOException {
    String other = STILL.replace("toy", "digits") + first.path();
    String cause = train("other", other, 2).read().ending().cause();
    assertTrue(cause.startsWith("--init-from: expected parameters [7850], found [1010]"), cause);
  }

  /** The same parameters, tested by a run that has no validation part. */
  @Test
  void theTestPartIsTestedAtTheEndAlone() throws IOException {
    List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, first.masterRecords());
    List<EndRecord> judged = LogRecord.of(EndRecord.class, first.masterRecords());
    RunDirectory plain = train("plain", STILL + first.path());
    EvaluationRecord expected = LogRecord.of(EvaluationRecord.class, plain.masterRecords()).get(0);
    assertEquals(List.of(2L, 3L), tests.stream().map(EvaluationRecord::step).toList());
    assertEquals(1, judged.size());
    assertEquals(3, judged.get(0).step());
    assertEquals(expected.testSize(), judged.get(0).testSize());
    assertEquals(expected.testLoss(), judged.get(0).testLoss(), 1e-12);
    assertEquals(expected.accuracy(), judged.get(0).accuracy(), 1e-12);
    assertTrue(tests.get(0).testSize() != expected.testSize());
  }
}
