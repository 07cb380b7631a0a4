package io.github.amb.bench;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.compute.GradientLoop;
import io.github.amb.bench.compute.NoiseData;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.Networks;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.runtime.command.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The {@link PeerProgram} of this program, with gradients as a worker of {@code amb train} computes
 * them.
 */
public final class AmbPeer {
  private static final int EXAMPLES = 256;

  private AmbPeer() {}

  /**
   * Answers requests until its input ends.
   *
   * @param arguments {@code --precision}, its value, and those of every peer
   */
  public static void main(String[] arguments) throws IOException {
    Program.start();
    Precision precision = Precision.named(arguments[1]);
    NetworkSummary network = Networks.summary(arguments[2]);
    try (GradientSource source =
        Networks.open(
            Networks.named(arguments[2]),
            NetworkOptions.USUAL,
            NoiseData.of(network, EXAMPLES),
            precision)) {
      GradientLoop loop = new GradientLoop(source, EXAMPLES);
      loop.step(PeerProgram.FIRST_BATCH);
      System.out.println("peer ready " + source.layout().trainable());
      var questions =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        String[] words = line.split(" ");
        double speed = speed(loop, Integer.parseInt(words[0]), Double.parseDouble(words[1]));
        System.out.println(format("peer speed %f", speed));
      }
    }
  }

  private static double speed(GradientLoop loop, int batch, double seconds) {
    long start = System.nanoTime();
    long count = 0;
    double passed = 0;
    while (passed < seconds) {
      loop.step(batch);
      count += batch;
      passed = (System.nanoTime() - start) / 1e9;
    }
    return count / passed;
  }
}
