package io.github.amb.core.scheme;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Worker i computes batches i to i + s, cyclically. The rows of B are orthogonal to those of a
 * random s × n matrix H whose columns sum to 0, so that any n − s of them span the vector of ones
 * with probability 1 (Tandon et al., Algorithm 2).
 */
final class CyclicRepetition implements GradientCode {
  private final int workers;
  private final int stragglers;
  private final double[][] coefficients;

  /**
   * @param stragglers s, less than {@code workers}
   * @param random draws H
   */
  CyclicRepetition(int workers, int stragglers, UniformRandomProvider random) {
    this.workers = workers;
    this.stragglers = stragglers;
    double[][] h = nullOfOnes(random);
    coefficients = new double[workers][];
    for (int worker = 0; worker < workers; worker++) {
      coefficients[worker] = row(h, worker);
    }
  }

  private double[][] nullOfOnes(UniformRandomProvider random) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    double[][] h = new double[stragglers][workers];
    for (double[] row : h) {
      Arrays.setAll(row, j -> j < workers - 1 ? normal.sample() : 0);
      row[workers - 1] = -Arrays.stream(row).sum();
    }
    return h;
  }

  /** Coefficients 1, b₁ … b_s with {@code H_i + Σ_k b_k H_{i+k} = 0}. */
  private double[] row(double[][] h, int worker) {
    double[][] system = new double[stragglers][stragglers + 1];
    for (int r = 0; r < stragglers; r++) {
      for (int k = 1; k <= stragglers; k++) {
        system[r][k - 1] = h[r][batch(worker, k)];
      }
      system[r][stragglers] = -h[r][worker];
    }
    double[] row = new double[stragglers + 1];
    row[0] = 1;
    System.arraycopy(LinearSystem.solve(system), 0, row, 1, stragglers);
    return row;
  }

  @Override
  public int batch(int worker, int k) {
    return (worker + k) % workers;
  }

  @Override
  public double coefficient(int worker, int k) {
    return coefficients[worker][k];
  }

  @Override
  public boolean decode(boolean[] present, double[] weights) {
    int needed = workers - stragglers;
    int[] rows = IntStream.range(0, workers).filter(w -> present[w]).limit(needed).toArray();
    if (rows.length < needed) {
      return false;
    }
    double[][] system = new double[workers][needed + 1];
    for (int column = 0; column < needed; column++) {
      for (int k = 0; k <= stragglers; k++) {
        system[batch(rows[column], k)][column] = coefficients[rows[column]][k];
      }
    }
    for (double[] row : system) {
      row[needed] = 1;
    }
    double[] solution = LinearSystem.solve(system);
    Arrays.fill(weights, 0);
    for (int column = 0; column < needed; column++) {
      weights[rows[column]] = solution[column];
    }
    return true;
  }
}
