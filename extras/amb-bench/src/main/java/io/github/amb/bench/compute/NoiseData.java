package io.github.amb.bench.compute;

import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.network.NetworkSummary;
import org.apache.commons.rng.UniformRandomProvider;

/** Random examples of a network's input shape; the values do not affect the speed. */
public final class NoiseData {
  private NoiseData() {}

  /**
   * Creates examples.
   *
   * @param examples number of training examples, and of test examples
   */
  public static DataSet of(NetworkSummary network, int examples) {
    UniformRandomProvider random = new Streams(1).stream("noise", 0, 0);
    ImageShape shape = network.input();
    byte[] pixels = new byte[examples * shape.size()];
    random.nextBytes(pixels);
    byte[] labels = new byte[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = (byte) (i % network.classes());
    }
    var noise = new ByteExamples(pixels, labels);
    return new DataSet("noise", shape, network.classes(), noise, noise);
  }
}
