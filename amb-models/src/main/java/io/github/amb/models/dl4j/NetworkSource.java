package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.NativeSource;
import io.github.amb.models.data.example.DataSet;
import java.util.Map;

/** Gradients of a network of layers, whatever computes them. */
public abstract class NetworkSource extends NativeSource {
  protected final DataSet data;
  private final Architecture architecture;

  /**
   * @param data examples of the shape that the network expects
   */
  protected NetworkSource(Architecture architecture, DataSet data) {
    this.architecture = architecture;
    this.data = data;
  }

  @Override
  public final int trainingExamples() {
    return data.train().count();
  }

  @Override
  public final int testExamples() {
    return data.test().count();
  }

  @Override
  public final void initialize(long seed, float[] target) {
    InitialParameters.draw(architecture, seed, target);
  }

  @Override
  public final Map<String, Double> metrics(float[] source, Evaluation scores) {
    return data.metrics(scores);
  }
}
