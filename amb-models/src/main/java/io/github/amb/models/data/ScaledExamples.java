package io.github.amb.models.data;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Images scaled to another size on every read, by bilinear interpolation between the centers of
 * pixels.
 */
public final class ScaledExamples implements DerivedExamples {
  private final Examples examples;
  private final ImageShape from;
  private final ImageShape to;
  private final Axis rows;
  private final Axis columns;
  private final ThreadLocal<float[]> original;

  private ScaledExamples(Examples examples, ImageShape from, ImageShape to) {
    this.examples = examples;
    this.from = from;
    this.to = to;
    rows = new Axis(from.height(), to.height());
    columns = new Axis(from.width(), to.width());
    original = ThreadLocal.withInitial(() -> new float[from.size()]);
  }

  /**
   * Returns a data set whose images have another height and width, or {@code data} itself if they
   * have it already.
   *
   * @param to the new shape, with as many channels as the images have
   */
  public static DataSet scale(DataSet data, ImageShape to) {
    ImageShape from = data.shape();
    if (from.equals(to)) {
      return data;
    }
    return data.with(
        to, new ScaledExamples(data.train(), from, to), new ScaledExamples(data.test(), from, to));
  }

  /** The features of an example as a network takes them that takes others: scaled, if they are. */
  public static float[] like(Examples others, float[] example) {
    if (!(others instanceof ScaledExamples scaled) || example.length != scaled.from.size()) {
      return example;
    }
    float[] target = new float[scaled.to.size()];
    scaled.scale(example, target);
    return target;
  }

  /** For each new position: the two old positions around it, and the weight of the second. */
  private static final class Axis {
    private final int[] first;
    private final int[] second;
    private final float[] weight;

    Axis(int from, int to) {
      first = new int[to];
      second = new int[to];
      weight = new float[to];
      for (int i = 0; i < to; i++) {
        double position = Math.max(0, (i + 0.5) * from / to - 0.5);
        first[i] = Math.min((int) position, from - 1);
        second[i] = Math.min(first[i] + 1, from - 1);
        weight[i] = (float) (position - first[i]);
      }
    }
  }

  @Override
  public Examples examples() {
    return examples;
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    float[] source = original.get();
    examples.copyFeatures(example, source);
    scale(source, target);
  }

  @Override
  public void drawFeatures(int example, UniformRandomProvider random, float[] target) {
    float[] source = original.get();
    examples.drawFeatures(example, random, source);
    scale(source, target);
  }

  private void scale(float[] source, float[] target) {
    int pixel = 0;
    for (int channel = 0; channel < to.channels(); channel++) {
      for (int y = 0; y < to.height(); y++) {
        int upper = (channel * from.height() + rows.first[y]) * from.width();
        int lower = (channel * from.height() + rows.second[y]) * from.width();
        for (int x = 0; x < to.width(); x++) {
          float top = between(source, upper, x);
          float bottom = between(source, lower, x);
          target[pixel++] = top + rows.weight[y] * (bottom - top);
        }
      }
    }
  }

  private float between(float[] source, int row, int x) {
    float left = source[row + columns.first[x]];
    return left + columns.weight[x] * (source[row + columns.second[x]] - left);
  }
}
