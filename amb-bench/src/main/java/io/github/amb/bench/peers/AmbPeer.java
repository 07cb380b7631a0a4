package io.github.amb.bench.peers;

import io.github.amb.bench.compute.NoiseData;
import io.github.amb.core.command.Program;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.Networks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The {@link PeerProgram} of this program, with gradients as a worker of {@code amb train} computes
 * them.
 */
public final class AmbPeer {
  private static final int EXAMPLES = 256;

  private final GradientSource source;
  private final float[] parameters;
  private final float[] gradient;
  private final int[] examples = IntStream.range(0, EXAMPLES).toArray();

  private AmbPeer(GradientSource source) {
    this.source = source;
    parameters = new float[source.layout().size()];
    gradient = new float[parameters.length];
    source.initialize(1, parameters);
  }

  /** Answers requests until its input ends. */
  public static void main(String[] arguments) throws IOException {
    Program.start();
    NetworkSummary network = Networks.summary(arguments[0]);
    try (GradientSource source = Networks.open(arguments[0], NoiseData.of(network, EXAMPLES))) {
      AmbPeer peer = new AmbPeer(source);
      peer.step(PeerProgram.FIRST_BATCH);
      System.out.println("peer ready " + source.layout().trainable());
      peer.answer(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)));
    }
  }

  private void answer(BufferedReader questions) throws IOException {
    for (String line = questions.readLine(); line != null; line = questions.readLine()) {
      String[] words = line.split(" ");
      double speed = speed(Integer.parseInt(words[0]), Double.parseDouble(words[1]));
      System.out.println(String.format(Locale.ROOT, "peer speed %f", speed));
    }
  }

  private double speed(int batch, double seconds) {
    long start = System.nanoTime();
    long count = 0;
    double passed = 0;
    while (passed < seconds) {
      step(batch);
      count += batch;
      passed = (System.nanoTime() - start) / 1e9;
    }
    return count / passed;
  }

  private void step(int batch) {
    source.begin(parameters, 1);
    source.accumulate(examples, 0, batch);
    source.finish(gradient);
  }
}
