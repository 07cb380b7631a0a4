package io.github.amb.runtime.evaluate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.train.TrainCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GenerateCommandTest {
  private static final int DRAWS = 40_000;

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A run that learns which of two characters follows a character. */
  private Path trained() throws Exception {
    return train(folder.resolve("run"), "--last-step=100");
  }

  private Path train(Path run, String option) throws Exception {
    Path text = Files.writeString(folder.resolve("a.txt"), "ab".repeat(100));
    String options =
        "text:%s,context=1 fmb rms 16 --workers 0 --network logistic-regression %s"
            + " --learning-rate 0.1 --run-directory %s";
    String all = options.formatted(text, option, run);
    assertEquals(0, new TrainCommand().run(List.of(all.split(" "))));
    return run;
  }

  private String generate(Path run, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add(0, run.toString());
    out.reset();
    PrintStream to = new PrintStream(out, true);
    assertEquals(0, new GenerateCommand().printingTo(to, System.err).run(arguments));
    return out.toString(UTF_8);
  }

  private String problem(Path run, String... options) {
    return assertThrows(UsageException.class, () -> generate(run, options)).getMessage();
  }

  @Test
  void aRunContinuesATextAsItLearned() throws Exception {
    Path run = trained();
    assertEquals("abababab\n", generate(run, "--prompt=a", "--length=7", "--temperature=0"));
    assertEquals("bbaba\n", generate(run, "--prompt=bb", "--length", "3", "--top-k=1"));
    String[] hot = {"--prompt=a", "--temperature=1e9", "--length=80"};
    String first = generate(run, hot);
    assertEquals(first, generate(run, hot));
    assertNotEquals(
        first, generate(run, "--prompt=a", "--temperature=1e9", "--length=80", "--seed=2"));

    String unknown = problem(run, "--prompt=abc");
    assertTrue(unknown.startsWith("--prompt: character 3: "), unknown);
    assertTrue(problem(run).startsWith("--prompt: "), "the usual prompt is a line end");
    assertTrue(problem(run, "--prompt=").startsWith("--prompt: "));
    assertTrue(problem(run, "--prompt=a", "--top-k=0").startsWith("--top-k"));

    Files.writeString(folder.resolve("a.txt"), "ba".repeat(100));
    assertTrue(problem(run, "--prompt=a").contains("has changed since the run"));
  }

  /** The text is longer than a window, and shorter ones are filled up. */
  @Test
  void aLanguageModelContinuesALongText() throws Exception {
    Path text = Files.writeString(folder.resolve("a.txt"), "abc".repeat(60));
    Path run = folder.resolve("gpt");
    String options =
        "text:%s,context=4 fmb adm 8 --workers 2 --engine sim --cost-per-example 0.01"
            + " --network gpt:1,1,16,4 --last-step 200 --learning-rate 0.01 --run-directory %s";
    assertEquals(0, new TrainCommand().run(List.of(options.formatted(text, run).split(" "))));
    assertEquals("abcabcabcabc\n", generate(run, "--prompt=ab", "--length=10", "--temperature=0"));
    assertEquals("cabcabcab\n", generate(run, "--prompt=cabcabc", "--length=2", "--top-k=1"));
  }

  @Test
  void aTestOfATextHasPerplexityInPlaceOfAccuracy() throws Exception {
    RunDirectory run = new RunDirectory(trained());
    List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, run.masterRecords());
    EvaluationRecord last = tests.get(tests.size() - 1);
    assertTrue(Double.isNaN(last.accuracy()), last.toString());
    assertEquals(Math.exp(last.testLoss()), last.metrics().get("perplexity"), 1e-12);
    double bits = last.testLoss() / Math.log(2);
    assertEquals(bits, last.metrics().get("bits_per_character"), 1e-12);
    UsageException none =
        assertThrows(
            UsageException.class, () -> train(folder.resolve("x"), "--target-accuracy=0.5"));
    assertTrue(none.getMessage().contains("--target-accuracy: "), none.getMessage());
  }

  @Test
  void aRunWithoutTextIsRejected() throws Exception {
    Path run = folder.resolve("digits");
    String options =
        "optdigits fmb rms 16 --workers 0 --last-step 2 --evaluate last --run-directory " + run;
    assertEquals(0, new TrainCommand().run(List.of(options.split(" "))));
    assertTrue(problem(run).contains("found optdigits"), problem(run));
  }

  @Test
  void tokensAreDrawnByTheirScores() {
    float[] scores = {1, -50, 2, 0};
    UniformRandomProvider random =
        new Streams(11 + Long.getLong("amb.test.seed", 0)).stream("test", 0, 0);
    int[] counts = new int[scores.length];
    for (int i = 0; i < DRAWS; i++) {
      counts[GenerateCommand.draw(scores, 0.5, 0, random)]++;
    }
    // softmax of 2, 4 and 0; by Hoeffding, a share is off by more than this with chance 1e-9.
    double bound = Math.sqrt(Math.log(2e9) / (2 * DRAWS));
    double sum = Math.exp(2) + Math.exp(4) + 1;
    assertEquals(Math.exp(2) / sum, counts[0] / (double) DRAWS, bound);
    assertEquals(0, counts[1]);
    assertEquals(Math.exp(4) / sum, counts[2] / (double) DRAWS, bound);
    assertEquals(1 / sum, counts[3] / (double) DRAWS, bound);
    for (int i = 0; i < 100; i++) {
      assertEquals(2, GenerateCommand.draw(scores, 0, 0, random));
      assertEquals(2, GenerateCommand.draw(scores, 9, 1, random));
      assertNotEquals(1, GenerateCommand.draw(scores, 1e9, 3, random));
    }
    assertEquals(0, GenerateCommand.draw(new float[] {5}, 1, 7, random));
  }
}
