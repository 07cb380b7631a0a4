package io.github.amb.models.onednn.reference;

import java.util.List;

/** A layer whose results are sums of products of inputs and weights, and a bias per channel. */
abstract class Products implements Layer {
  private final int weights;
  private final int bias;
  private Values x;

  /**
   * @param weights place of the weights in the parameter vector
   * @param bias place of the biases; −1 for none
   */
  Products(int weights, int bias) {
    this.weights = weights;
    this.bias = bias;
  }

  /** Called with the places of a result, of an input, and of the weight between them. */
  interface Term {
    void at(int result, int input, int weight);
  }

  /** An array for the results. */
  abstract Values results(Values x);

  abstract void each(Values x, Values results, Term term);

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    x = pass.factors(inputs.get(0));
    Values results = results(x);
    Sums sums = new Sums(results.size());
    each(x, results, (o, i, w) -> sums.addProduct(o, x, i, pass.parameters, weights + w));
    for (int o = 0; bias >= 0 && o < results.size(); o++) {
      sums.add(o, pass.parameters.get(bias + results.channel(o)));
    }
    return results.with(sums);
  }

  @Override
  public List<Values> backward(Pass pass, Values exact) {
    Values delta = pass.factors(exact);
    Sums sums = new Sums(x.size());
    each(
        x,
        delta,
        (o, i, w) -> {
          sums.addProduct(i, delta, o, pass.parameters, weights + w);
          pass.gradient.addProduct(weights + w, delta, o, x, i);
        });
    for (int o = 0; bias >= 0 && o < delta.size(); o++) {
      pass.gradient.add(bias + delta.channel(o), delta.get(o));
    }
    return List.of(x.with(sums));
  }
}
