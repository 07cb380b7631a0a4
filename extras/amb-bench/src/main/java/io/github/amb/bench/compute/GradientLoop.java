package io.github.amb.bench.compute;

import io.github.amb.core.gradient.GradientSource;
import java.util.stream.IntStream;

/** Gradients at a network's first parameters, with copies of the vector in and out. */
public final class GradientLoop {
  private final GradientSource source;
  private final float[] parameters;
  private final float[] gradient;
  private final int[] examples;

  /**
   * @param examples maximum number of examples of a gradient
   */
  public GradientLoop(GradientSource source, int examples) {
    this.source = source;
    this.examples = IntStream.range(0, examples).toArray();
    parameters = new float[source.layout().size()];
    gradient = new float[parameters.length];
    source.initialize(1, parameters);
  }

  /** Computes the gradient of {@code batch} examples, into an array that the next step changes. */
  public float[] step(int batch) {
    source.begin(parameters, 1);
    source.accumulate(examples, 0, batch);
    source.finish(gradient);
    return gradient;
  }
}
