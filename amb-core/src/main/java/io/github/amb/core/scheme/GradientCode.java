package io.github.amb.core.scheme;

import java.util.Arrays;

/**
 * Who computes which batches, and how the sum of all is recovered: a matrix B with a row per worker
 * and a column per batch, of which there are as many as workers. Worker i sends {@code Σ_j B_ij
 * g_j}; the master finds {@code a} with {@code aᵀ B = 1ᵀ} on the rows that have come. Workers and
 * batches are counted from 0.
 *
 * <p>Tandon, Lei, Dimakis, Karampatziakis: "Gradient Coding: Avoiding Stragglers in Distributed
 * Learning", ICML 2017. Every worker computes s + 1 batches and any s workers may be late. The
 * paper has two such codes. Fractional repetition: groups of s + 1 workers send the plain sum of
 * the same s + 1 batches, so that all numbers are 0 and 1; s + 1 must divide n. Cyclic repetition
 * (Algorithm 2): worker i computes batches i to i + s, with coefficients orthogonal to a random
 * matrix. It exists for every n, but nothing bounds its {@link #amplification()}, which exceeds 10⁶
 * in some draws with n = 20, s = 5.
 *
 * <p>This code joins them. Workers form as many rings as there can be of at least s + 1 workers (B
 * is block-diagonal), so that rings are as small as they can be. Cyclic repetition is used in each.
 * A ring of m workers recovers its sum from any m − s of them: each of its workers leaves out r = m
 * − s − 1 batches. A ring of s + 1 is a group of fractional repetition.
 *
 * <p>The coefficients of a ring are not drawn. Worker i's are the values, at points θ_j of a
 * circle, of the trigonometric polynomial whose zeros are the batches that it leaves out: {@code
 * B_ij = Π_z sin((θ_j − θ_z) / 2) / f(θ_j)}. The products lie in a space of r + 1 dimensions, which
 * r + 1 of them span, and in which f is. With r even, θ_j = 2πj / m and f = 1: the rows are
 * codewords of the real cyclic MDS code, whose check polynomial has the zeros 1 and the next r / 2
 * roots of unity on both sides. (Raviv, Tamo, Tandon, Dimakis: "Gradient Coding from Cyclic MDS
 * Codes and Expander Graphs", IEEE Transactions on Information Theory 66, 2020.) With r odd there
 * is no real one; there θ_j = 2π (j − (m − 1) / 2) / (m + 1) and f = cos(θ / 2), so that the
 * polynomials have half-integer frequencies.
 */
public final class GradientCode {
  private final int workers;
  private final int stragglers;
  private final int[] starts;
  private final int[] ringOf;
  private final double[][] coefficients;

  /**
   * @param workers n
   * @param stragglers s, less than {@code workers}
   */
  public GradientCode(int workers, int stragglers) {
    this.workers = workers;
    this.stragglers = stragglers;
    starts = starts(sizes(workers, stragglers));
    ringOf = new int[workers];
    coefficients = new double[workers][];
    for (int ring = 0; ring < starts.length - 1; ring++) {
      double[][] rows = rows(starts[ring + 1] - starts[ring], stragglers);
      Arrays.fill(ringOf, starts[ring], starts[ring + 1], ring);
      System.arraycopy(rows, 0, coefficients, starts[ring], rows.length);
    }
  }

  /**
   * Sizes of the rings. What is left over is shared out in pairs, as an even r has the smaller
   * {@link #amplification()}; the first ring alone has one more if it is odd.
   */
  private static int[] sizes(int workers, int stragglers) {
    int[] sizes = new int[workers / (stragglers + 1)];
    Arrays.fill(sizes, stragglers + 1);
    int rest = workers % (stragglers + 1);
    int odd = rest % 2;
    sizes[0] += odd;
    int first = Math.min(odd, sizes.length - 1);
    for (int pair = 0; pair < rest / 2; pair++) {
      sizes[first + pair % (sizes.length - first)] += 2;
    }
    return sizes;
  }

  private static int[] starts(int[] sizes) {
    int[] starts = new int[sizes.length + 1];
    for (int ring = 0; ring < sizes.length; ring++) {
      starts[ring + 1] = starts[ring] + sizes[ring];
    }
    return starts;
  }

  /** A ring's coefficients, by worker and place from 0 to s; the largest of each row is 1. */
  private static double[][] rows(int size, int stragglers) {
    double[][] rows = new double[size][stragglers + 1];
    for (int worker = 0; worker < size; worker++) {
      double largest = 0;
      for (int k = 0; k <= stragglers; k++) {
        double value = value(size, stragglers, worker, (worker + k) % size);
        rows[worker][k] = value;
        largest = Math.max(largest, Math.abs(value));
      }
      for (int k = 0; k <= stragglers; k++) {
        rows[worker][k] /= largest;
      }
    }
    return rows;
  }

  /** B_ij but for a factor that is the same for all j. */
  private static double value(int size, int stragglers, int i, int j) {
    boolean even = (size - stragglers - 1) % 2 == 0;
    double step = 2 * Math.PI / (even ? size : size + 1);
    double value = even ? 1 : 1 / StrictMath.cos(step * (j - (size - 1) / 2.0) / 2);
    for (int left = stragglers + 1; left < size; left++) {
      value *= StrictMath.sin(step * (j - (i + left) % size) / 2);
    }
    return value;
  }

  /** The batch that comes {@code k}-th at a worker, k from 0 to s; its own is the first. */
  public int batch(int worker, int k) {
    int start = starts[ringOf[worker]];
    int size = starts[ringOf[worker] + 1] - start;
    return start + (worker - start + k) % size;
  }

  /** The coefficient B of that batch. */
  public double coefficient(int worker, int k) {
    return coefficients[worker][k];
  }

  /**
   * Finds how to recover the sum.
   *
   * @param present which workers' results have come; not modified
   * @param weights receives {@code a}, an entry per worker; modified
   * @return whether the sum can be recovered from them, as it can with n − s of them
   */
  public boolean decode(boolean[] present, double[] weights) {
    Arrays.fill(weights, 0);
    for (int ring = 0; ring < starts.length - 1; ring++) {
      if (!decode(starts[ring], starts[ring + 1], present, weights)) {
        return false;
      }
    }
    return true;
  }

  private boolean decode(int start, int end, boolean[] present, double[] weights) {
    int[] rows = new int[end - start - stragglers];
    int found = 0;
    for (int worker = start; worker < end && found < rows.length; worker++) {
      if (present[worker]) {
        rows[found++] = worker;
      }
    }
    if (found < rows.length) {
      return false;
    }
    double[] solution = LinearSystem.solve(equations(start, end, rows));
    for (int column = 0; column < rows.length; column++) {
      weights[rows[column]] = solution[column];
    }
    return true;
  }

  private double[][] equations(int start, int end, int[] rows) {
    double[][] system = new double[end - start][rows.length + 1];
    for (int column = 0; column < rows.length; column++) {
      for (int k = 0; k <= stragglers; k++) {
        system[batch(rows[column], k) - start][column] = coefficients[rows[column]][k];
      }
    }
    for (double[] row : system) {
      row[rows.length] = 1;
    }
    return system;
  }

  /**
   * How many times larger than the batches' own sums what is added up to them may be: the largest
   * {@code Σ_i |a_i B_ij|} of a batch j. A worker's sum is rounded once to a float, and the master
   * adds in double precision, so every entry of the recovered sum is within {@code 2⁻²⁴ (A + 1) Σ_j
   * |g_j|} of the exact one.
   *
   * <p>It is that of the workers next to each other in a ring, of which the worst is taken; no
   * other set has been found to be worse.
   */
  public double amplification() {
    double worst = 0;
    boolean[] present = new boolean[workers];
    double[] weights = new double[workers];
    for (int worker = 0; worker < workers; worker++) {
      Arrays.fill(present, true);
      for (int late = 0; late < stragglers; late++) {
        present[batch(worker, late)] = false;
      }
      decode(present, weights);
      worst = Math.max(worst, amplification(weights));
    }
    return worst;
  }

  /** The same with these weights. */
  public double amplification(double[] weights) {
    double[] sums = new double[workers];
    for (int worker = 0; worker < workers; worker++) {
      for (int k = 0; k <= stragglers; k++) {
        sums[batch(worker, k)] += Math.abs(weights[worker] * coefficients[worker][k]);
      }
    }
    return Arrays.stream(sums).max().orElseThrow();
  }
}
