package io.github.amb.runtime.evaluate;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.models.data.example.Text.Vocabulary;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.cli.Options;
import org.apache.commons.rng.UniformRandomProvider;

/** {@code amb generate}: continues a text with what a run has learned. */
public final class GenerateCommand extends OptionsCommand {
  private static final Setting<Integer> LENGTH = Setting.integer("length", 500, 1);
  private static final Setting<Double> TEMPERATURE = Setting.notNegative("temperature", 1.0);
  private static final Setting<Integer> TOP_K = Setting.integer("top-k", 0, 1);
  private static final Setting<Long> SEED = Setting.integral("seed", 1L);

  /** Prints to standard output and standard error. */
  public GenerateCommand() {
    super("generate", "RUN|CHECKPOINT", "write text that a run's newest checkpoint predicts");
  }

  @Override
  protected int run(Arguments given) throws IOException {
    String name = given.single("one run directory or checkpoint");
    Path path = RunDirectory.named(name).path().toAbsolutePath().normalize();
    try (RunModel model = RunModel.of(path, given.value("data-dir", null))) {
      if (model.data.text() == null) {
        throw new UsageException(
            "%s: expected a run that learned a text, as of --data-set text:FILE, found %s",
            path, model.data.name());
      }
      int[] prompt = prompt(given.value("prompt", "\n"), model.data.text().vocabulary());
      GraphSource engine = model.load(path, note -> err.println("amb: " + note));
      write(model, engine, prompt, given);
    }
    return 0;
  }

  private static int[] prompt(String text, Vocabulary vocabulary) {
    if (text.isEmpty()) {
      throw new UsageException("--prompt: expected a text to begin with, found none");
    }
    try {
      return vocabulary.encode(text);
    } catch (UsageException e) {
      throw new UsageException("--prompt: %s", e.getMessage());
    }
  }

  private void write(RunModel model, GraphSource engine, int[] prompt, Arguments given) {
    Vocabulary vocabulary = model.data.text().vocabulary();
    UniformRandomProvider random = new Streams(given.get(SEED)).stream("generate", 0, 0);
    int[] text = Arrays.copyOf(prompt, prompt.length + given.get(LENGTH));
    float[] window = new float[model.data.shape().size()];
    for (int token : prompt) {
      out.writeBytes(vocabulary.bytes(token));
    }
    for (int i = prompt.length; i < text.length; i++) {
      int from = Math.max(0, i - window.length);
      for (int j = from; j < i; j++) {
        window[j - from] = text[j];
      }
      // What follows in the window is not seen from its last position that is used.
      float[] outputs = engine.outputs(window);
      int row = (i - from - 1) * vocabulary.size();
      float[] scores = Arrays.copyOfRange(outputs, row, row + vocabulary.size());
      text[i] = draw(scores, given.get(TEMPERATURE), given.get(TOP_K), random);
      out.writeBytes(vocabulary.bytes(text[i]));
      out.flush();
    }
    out.println();
  }

  /**
   * Draws a token with probability {@code softmax(scores / temperature)}.
   *
   * @param scores a number per token; not modified
   * @param temperature 0 for a token of the largest score
   * @param most only tokens with one of as many largest scores are drawn; 0 for all
   */
  static int draw(float[] scores, double temperature, int most, UniformRandomProvider random) {
    if (temperature == 0) {
      return draw(scores, 1, 1, random);
    }
    float[] sorted = scores.clone();
    Arrays.sort(sorted);
    float largest = sorted[sorted.length - 1];
    float smallest = sorted[most == 0 ? 0 : Math.max(0, sorted.length - most)];
    double[] sums = new double[scores.length];
    double sum = 0;
    for (int i = 0; i < scores.length; i++) {
      sum += scores[i] < smallest ? 0 : Math.exp((scores[i] - largest) / temperature);
      sums[i] = sum;
    }
    double drawn = sum * random.nextDouble();
    int token = 0;
    while (token < sums.length - 1 && sums[token] <= drawn) {
      token++;
    }
    return token;
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        prompt TEXT     The text to continue. Default: a line end.
        length N        Tokens to add. Default: 500.
        temperature T   Divides the scores: below 1 likely tokens are drawn more often, 0 takes the
            most likely one. Default: 1.
        top-k K         Draw one of the K most likely tokens. Default: any.
        seed N          Seed of the draws. Default: 1.
        data-dir DIR    Where the data are now. Default: where they were.
        """);
  }
}
