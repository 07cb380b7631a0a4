package io.github.amb.bench.compute;

import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.network.NetworkSummary;
import org.apache.commons.rng.UniformRandomProvider;

/** Random examples of a network's input shape; the values do not affect the speed. */
public final class NoiseData {
  private NoiseData() {}

  /**
   * Creates examples: images, or windows of a text for a network that begins with an embedding.
   *
   * @param examples number of training examples, and of test examples
   */
  public static DataSet of(NetworkSummary network, int examples) {
    UniformRandomProvider random = new Streams(1).stream("noise", 0, 0);
    ImageShape shape = network.input();
    boolean text =
        network.layers().stream().anyMatch(layer -> layer.type().equals("SequenceEmbedding"));
    Examples noise =
        text
            ? new Windows(examples, shape.size(), network.classes())
            : images(random, examples, shape.size(), network.classes());
    return new DataSet("noise", shape, network.classes(), noise, noise);
  }

  private static Examples images(
      UniformRandomProvider random, int examples, int features, int classes) {
    byte[] pixels = new byte[examples * features];
    random.nextBytes(pixels);
    byte[] labels = new byte[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = (byte) (i % classes);
    }
    return new ByteExamples(pixels, labels);
  }

  /** Windows of a text that has all tokens, as often and mixed. */
  private record Windows(int count, int positions, int tokens) implements Examples {
    private static final int STEP = 7919;

    private int token(int example, int place) {
      return (example + place) * STEP % tokens;
    }

    @Override
    public int label(int example) {
      return token(example, 1);
    }

    @Override
    public void copyLabels(int example, int[] target) {
      for (int i = 0; i < positions; i++) {
        target[i] = token(example, i + 1);
      }
    }

    @Override
    public void copyFeatures(int example, float[] target) {
      for (int i = 0; i < positions; i++) {
        target[i] = token(example, i);
      }
    }
  }
}
