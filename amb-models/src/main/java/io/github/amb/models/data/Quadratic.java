package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.Examples;
import java.util.Arrays;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The draws of the gradient of f(x) = ½⟨x, Ax⟩ − ⟨b, x⟩, where A = (L/4) tridiag(−1, 2, −1) and b =
 * (L/4)(−1, 0, …). Their parts are of equal size, one after the other; f is the mean of the parts'
 * functions, which differ in b. No draw has features.
 *
 * @param setting what the user chose
 * @param count number of draws, a multiple of the number of parts
 * @param streams of the parts' offsets
 * @param mean of these offsets; not modified
 */
public record Quadratic(Setting setting, int count, Streams streams, double[] mean)
    implements Examples {
  /**
   * What the user chose.
   *
   * @param dimension length d of x
   * @param smoothness L, a bound of the largest eigenvalue of A
   * @param noise standard deviation of a gradient's noise
   * @param scalar whether all coordinates of a gradient have the same noise
   * @param parts number of parts, each with its own b
   * @param spread standard deviation of the parts' entries of b, in L/4
   */
  public record Setting(
      int dimension, double smoothness, double noise, boolean scalar, int parts, double spread) {}

  /**
   * @param count number of draws, a multiple of the number of parts
   * @param seed of the parts' offsets
   */
  static Quadratic of(Setting setting, int count, long seed) {
    var drawn = new Quadratic(setting, count, new Streams(seed), new double[setting.dimension()]);
    double[] one = new double[drawn.mean.length];
    for (int part = 0; setting.parts() > 1 && part < setting.parts(); part++) {
      drawn.draw(part, one);
      for (int i = 0; i < one.length; i++) {
        drawn.mean[i] += one[i] / setting.parts();
      }
    }
    return drawn;
  }

  /** Draws of the same function, of another number. */
  Quadratic withCount(int other) {
    return new Quadratic(setting, other, streams, mean);
  }

  private void draw(int part, double[] offset) {
    var normal = ZigguratSampler.NormalizedGaussian.of(streams.stream("quadratic part", part, 0));
    Arrays.setAll(offset, i -> normal.sample());
  }

  /**
   * Writes how the b of a part differs from that of f.
   *
   * @param offset of length d; modified
   */
  public void offset(int part, double[] offset) {
    double scale = setting.spread() * setting.smoothness() / 4;
    draw(part, offset);
    Arrays.setAll(offset, i -> scale * (offset[i] - mean[i]));
  }

  /**
   * Writes ∇f(x) = Ax − b.
   *
   * @param x of length d; not modified
   * @param gradient of length d; modified
   */
  public void gradient(double[] x, double[] gradient) {
    double scale = setting.smoothness() / 4;
    for (int i = 0; i < x.length; i++) {
      double left = i == 0 ? -1 : x[i - 1];
      double right = i == x.length - 1 ? 0 : x[i + 1];
      gradient[i] = scale * (2 * x[i] - left - right);
    }
  }

  /**
   * f(x) − f*, without cancellation: ½⟨e, Ae⟩ for the error e of x, as Ax* = b has the solution x*ᵢ
   * = i/(d + 1) − 1.
   *
   * @param x of length d; not modified
   */
  public double excess(double[] x) {
    double before = 0;
    double sum = 0;
    for (int i = 0; i <= x.length; i++) {
      double error = i == x.length ? 0 : x[i] + 1 - (i + 1.0) / (x.length + 1);
      sum += (error - before) * (error - before);
      before = error;
    }
    return setting.smoothness() / 8 * sum;
  }

  /** The part of a draw. */
  @Override
  public int label(int example) {
    return example / (count / setting.parts());
  }

  /**
   * A formula has no features.
   *
   * @throws UsageException always
   */
  @Override
  public void copyFeatures(int example, float[] target) {
    throw new UsageException(
        "data set quadratic: expected --network quadratic, as a formula has no features to show or"
            + " learn; leave --network out");
  }
}
