package io.github.amb.models.data;

import io.github.amb.core.random.Streams;
import java.nio.file.Path;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Features from N(0, 1) with random labels: nothing to learn but the training set by heart. */
final class ToyData implements DataSetDefinition {
  private static final ImageShape SHAPE = new ImageShape(1, 10, 10);
  private static final int CLASSES = 10;
  private static final int TRAIN = 10_000;
  private static final int TEST = 1_000;

  @Override
  public String name() {
    return "toy";
  }

  @Override
  public int trainingExamples() {
    return TRAIN;
  }

  @Override
  public int testExamples() {
    return TEST;
  }

  @Override
  public String summary() {
    return "generated from the seed: N(0, 1) with random labels, 10,000 + 1,000 examples 1x10x10";
  }

  @Override
  public DataSet load(Path directory, long seed) {
    Streams streams = new Streams(seed);
    return new DataSet(
        name(),
        SHAPE,
        CLASSES,
        examples(streams.stream("toy-train", 0, 0), TRAIN),
        examples(streams.stream("toy-test", 0, 0), TEST));
  }

  private static Examples examples(UniformRandomProvider random, int count) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    float[] features = new float[count * SHAPE.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) normal.sample();
    }
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) random.nextInt(CLASSES);
    }
    return new FloatExamples(features, labels);
  }
}
