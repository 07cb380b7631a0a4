package io.github.amb.models.onednn.reference;

/**
 * Sums of n products, added in an order that knows nothing of them. k of the terms, drawn at
 * random, have the mean k S / n of the whole sum S and at most the variance k (n − k) / (n (n − 1))
 * Σt². The rounding of each partial sum has u² times its square for a variance: over all k that is
 * u² ((n + 1) / 6 Σt² + (n + 1) (2n + 1) / (6n) S²). The products' own rounding adds u² Σt².
 */
final class Sums {
  final double[] value;
  private final double[] variance;
  private final double[] squares;
  private final int[] terms;

  Sums(int size) {
    value = new double[size];
    variance = new double[size];
    squares = new double[size];
    terms = new int[size];
  }

  void add(int at, double term, double termVariance) {
    value[at] += term;
    variance[at] += termVariance;
    squares[at] += term * term;
    terms[at]++;
  }

  void add(int at, Ball term) {
    add(at, term.value(), term.variance());
  }

  void addProduct(int at, Ball a, Ball b) {
    double x = a.value();
    double y = b.value();
    add(at, x * y, x * x * b.variance() + y * y * a.variance());
  }

  /** Adds the product of an entry of one array and one of another. */
  void addProduct(int at, Values a, int i, Values b, int j) {
    double x = a.value[i];
    double y = b.value[j];
    add(at, x * y, x * x * b.variance[j] + y * y * a.variance[i]);
  }

  Ball get(int at) {
    double n = Math.max(1, terms[at]);
    double sum = value[at] * value[at];
    double rounding = ((n + 1) / 6 + 1) * squares[at] + (n + 1) * (2 * n + 1) / (6 * n) * sum;
    return new Ball(value[at], variance[at] + Ball.UNIT * rounding);
  }

  int size() {
    return value.length;
  }
}
