package io.github.amb.models.onednn.reference;

import java.util.List;

/** Attention of several heads; a row is a position, with the queries, keys and values of all. */
final class Attention implements Layer {
  /**
   * Variance, relative to the square, of what a processor's approximation of the exponential is off
   * by: 4 units of rounding.
   */
  private static final double APPROXIMATION = 16 * Ball.UNIT;

  private final int positions;
  private final int heads;
  private final boolean causal;
  private final double keep;
  private Values x;
  private Ball[] weights;
  private float[] mask;

  Attention(int positions, int heads, boolean causal, double keep) {
    this.positions = positions;
    this.heads = heads;
    this.causal = causal;
    this.keep = keep;
  }

  private int size() {
    return x.channels / 3 / heads;
  }

  private Ball factor() {
    return Ball.exact((float) (1 / Math.sqrt(size())));
  }

  /** Called with a query and a key of one head that may see each other. */
  private interface Pair {
    /**
     * @param weight index of the pair among the squares of all heads
     * @param query first entry of the query in x
     * @param key first entry of the key in x
     */
    void at(int weight, int query, int key);
  }

  private void each(Pair pair) {
    int squares = x.examples / positions * heads;
    for (int i = 0; i < squares * positions * positions; i++) {
      int square = i / (positions * positions);
      int row = square / heads * positions;
      int query = i / positions % positions;
      int key = i % positions;
      int column = square % heads * size();
      if (!causal || key <= query) {
        int keys = column + x.channels / 3;
        pair.at(i, (row + query) * x.channels + column, (row + key) * x.channels + keys);
      }
    }
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    x = pass.factors(inputs.get(0));
    int count = x.examples * heads * positions;
    Sums scores = new Sums(count);
    each(
        (i, query, key) -> {
          for (int d = 0; d < size(); d++) {
            scores.addProduct(i, x, query + d, x, key + d);
          }
        });
    boolean[] seen = new boolean[count];
    each((i, query, key) -> seen[i] = true);
    weights = new Ball[count];
    for (int row = 0; row < count; row += positions) {
      softmax(scores, seen, row);
    }
    boolean dropped = keep < 1 && pass.training;
    mask = dropped ? pass.mask(count, keep) : null;
    Values result = new Values(x.examples, x.channels / 3, 1, 1);
    Sums sums = new Sums(result.size());
    each(
        (i, query, key) -> {
          for (int d = 0; d < size(); d++) {
            Ball weight = pass.factor(kept(i, weights[i]));
            sums.addProduct(target(query) + d, weight, x.get(value(key) + d));
          }
        });
    return result.with(sums);
  }

  /** The entry of the result at the place of a query. */
  private int target(int query) {
    return query / x.channels * (x.channels / 3) + query % x.channels;
  }

  /** The entry of the value at the place of a key. */
  private int value(int key) {
    return key + x.channels / 3;
  }

  private Ball kept(int i, Ball weight) {
    return mask == null ? weight : weight.times(Ball.exact(mask[i]));
  }

  private void softmax(Sums scores, boolean[] seen, int row) {
    double max = Double.NEGATIVE_INFINITY;
    double min = Double.POSITIVE_INFINITY;
    double largest = 0;
    for (int i = row; i < row + positions; i++) {
      if (seen[i]) {
        Ball score = scores.get(i).times(factor());
        max = Math.max(max, score.value());
        min = Math.min(min, score.value());
        largest = Math.max(largest, score.variance());
      }
    }
    double sum = 0;
    for (int i = row; i < row + positions; i++) {
      sum += seen[i] ? Math.exp(scores.get(i).times(factor()).value() - max) : 0;
    }
    for (int i = row; i < row + positions; i++) {
      Ball score = scores.get(i).times(factor());
      double p = seen[i] ? Math.exp(score.value() - max) / sum : 0;
      // As the loss's softmax; the differences to the maximum are rounded once.
      double log = score.variance() + largest + 2 * Ball.UNIT * (max - min) * (max - min);
      weights[i] = new Ball(p, p * p * (log + 2 * Ball.UNIT + APPROXIMATION));
    }
  }

  @Override
  public List<Values> backward(Pass pass, Values exact) {
    Values delta = pass.factors(exact);
    Sums gradient = new Sums(x.size());
    Sums by = new Sums(weights.length);
    each(
        (i, query, key) -> {
          for (int d = 0; d < size(); d++) {
            int result = target(query) + d;
            Ball weight = pass.factor(kept(i, weights[i]));
            gradient.addProduct(value(key) + d, weight, delta.get(result));
            by.addProduct(i, delta, result, x, value(key) + d);
          }
        });
    Sums means = new Sums(weights.length / positions);
    each((i, query, key) -> means.addProduct(i / positions, weights[i], kept(i, by.get(i))));
    Sums scaled = new Sums(x.size());
    each(
        (i, query, key) -> {
          Ball mean = means.get(i / positions).shared(positions);
          Ball inner = pass.factor(kept(i, by.get(i)).minus(mean).times(weights[i]));
          for (int d = 0; d < size(); d++) {
            scaled.addProduct(query + d, inner, x.get(key + d));
            scaled.addProduct(key + d, inner, x.get(query + d));
          }
        });
    Values result = x.with(gradient);
    for (int i = 0; i < result.size(); i++) {
      if (i % x.channels < x.channels / 3 * 2) {
        result.set(i, scaled.get(i).times(factor()));
      }
    }
    return List.of(result);
  }
}
