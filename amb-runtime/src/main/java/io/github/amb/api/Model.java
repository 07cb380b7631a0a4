package io.github.amb.api;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.runtime.evaluate.RunModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A trained network, which can be asked about examples. One thread at a time; native memory is held
 * until it is closed.
 */
public final class Model implements AutoCloseable {
  private final RunModel model;
  private final GraphSource engine;

  private Model(RunModel model, GraphSource engine) {
    this.model = model;
    this.engine = engine;
  }

  /**
   * Opens the network of a run with the parameters of its newest checkpoint that can be read.
   *
   * @param run a run directory, or one checkpoint in it
   * @throws IOException if the run cannot be read
   * @throws UsageException if it has no checkpoint, its data or network have changed, or oneDNN
   *     does not compute its network
   */
  public static Model load(Path run) throws IOException {
    Path path = run.toAbsolutePath().normalize();
    RunModel model = RunModel.of(path, null);
    try {
      return new Model(model, model.load(path, note -> {}));
    } catch (IOException | RuntimeException e) {
      model.close();
      throw e;
    }
  }

  /**
   * Asks the network.
   *
   * @param examples the features of each, as data sets of this program have them: pixels from 0 to
   *     1, plane by plane and row by row; not modified
   * @return for each example the probability of each class or label, or the predicted numbers; of
   *     two classes with one output, that of the second class
   */
  public float[][] predict(float[]... examples) {
    float[] rows = engine.predictions(examples);
    float[][] predictions = new float[examples.length][rows.length / Math.max(1, examples.length)];
    for (int i = 0; i < predictions.length; i++) {
      System.arraycopy(rows, i * predictions[i].length, predictions[i], 0, predictions[i].length);
    }
    return predictions;
  }

  /** Name, shape and place of each block of the parameters in the flat vector. */
  public Layout layout() {
    return engine.layout();
  }

  /** Names of the outputs: the user's of classes, labels or numbers; else their numbers from 0. */
  public List<String> outputs() {
    return model.outputNames();
  }

  @Override
  public void close() {
    model.close();
  }
}
