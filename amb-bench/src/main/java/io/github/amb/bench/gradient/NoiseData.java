package io.github.amb.bench.gradient;

import io.github.amb.core.random.Streams;
import io.github.amb.models.data.ByteExamples;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.ImageShape;
import io.github.amb.models.network.NetworkSummary;
import org.apache.commons.rng.UniformRandomProvider;

/** Random examples of the shape that a network takes: arithmetic does not care what it adds. */
public final class NoiseData {
  private NoiseData() {}

  /**
   * Examples.
   *
   * @param examples how many, for training and again for tests
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
