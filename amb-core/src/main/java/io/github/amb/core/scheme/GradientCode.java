package io.github.amb.core.scheme;

/**
 * Who computes which batches, and how the sum of all is recovered: a matrix B with a row per worker
 * and a column per batch, of which there are as many as workers. Worker i sends {@code Σ_j B_ij
 * g_j}; the master finds {@code a} with {@code aᵀ B = 1ᵀ} on the rows that have come.
 *
 * <p>Tandon, Lei, Dimakis, Karampatziakis: "Gradient Coding: Avoiding Stragglers in Distributed
 * Learning", ICML 2017. Workers and batches are counted from 0.
 */
interface GradientCode {
  /** The batch that comes {@code k}-th at a worker, k from 0 to s. */
  int batch(int worker, int k);

  /** The coefficient B of that batch. */
  double coefficient(int worker, int k);

  /**
   * Finds how to recover the sum.
   *
   * @param present which workers' results have come; not modified
   * @param weights receives {@code a}, an entry per worker; modified
   * @return whether the sum can be recovered from them
   */
  boolean decode(boolean[] present, double[] weights);
}
