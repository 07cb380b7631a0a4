package io.github.amb.examples;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** A data set: points on two rings in the plane, to tell the inner one from the outer one. */
public final class Rings implements DataSetDefinition, Plugin<DataSetDefinition> {
  @Override
  public List<DataSetDefinition> entries() {
    return List.of(this);
  }

  @Override
  public Description description() {
    return Description.of("rings", "two rings in the plane, 2,000 + 200 points")
        .use("Trying a network that a linear model cannot replace.")
        .source("an example of AMB, 2026");
  }

  @Override
  public String network() {
    return "tiny-mlp";
  }

  @Override
  public int trainingExamples() {
    return 2000;
  }

  @Override
  public int testExamples() {
    return 200;
  }

  /** Depends on the seed alone, so that every rank has the same points. */
  @Override
  public DataSet load(Path directory, long seed) {
    Streams streams = new Streams(seed);
    Examples train = points(streams.stream("rings-train", 0, 0), trainingExamples());
    Examples test = points(streams.stream("rings-test", 0, 0), testExamples());
    return new DataSet(name(), new ImageShape(1, 1, 2), 2, train, test);
  }

  private static Examples points(UniformRandomProvider random, int count) {
    float[] features = new float[2 * count];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) random.nextInt(2);
      double radius = 0.5 + labels[i] + 0.2 * random.nextDouble();
      double angle = 2 * Math.PI * random.nextDouble();
      features[2 * i] = (float) (radius * Math.cos(angle));
      features[2 * i + 1] = (float) (radius * Math.sin(angle));
    }
    return new FloatExamples(features, labels);
  }
}
