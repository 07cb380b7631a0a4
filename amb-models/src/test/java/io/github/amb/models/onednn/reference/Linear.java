package io.github.amb.models.onednn.reference;

import java.util.ArrayList;
import java.util.List;

/** A layer whose results are sums of inputs times constants. */
abstract class Linear implements Layer {
  private List<Values> inputs;

  /** Called with the places of a result and of an entry of an input, and with its factor. */
  interface Term {
    void at(int result, int input, int entry, double factor);
  }

  /** An array for the results. */
  abstract Values results(List<Values> inputs);

  abstract void each(List<Values> inputs, Values results, Term term);

  /** How many inputs get the gradient by one result. */
  int sharers() {
    return 1;
  }

  @Override
  public Values forward(Pass pass, List<Values> arrays) {
    inputs = arrays;
    Values results = results(inputs);
    Sums sums = new Sums(results.size());
    each(
        inputs,
        results,
        (o, input, i, factor) -> sums.addProduct(o, inputs.get(input).get(i), Ball.exact(factor)));
    return results.with(sums);
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    List<Sums> sums = inputs.stream().map(x -> new Sums(x.size())).toList();
    each(
        inputs,
        delta,
        (o, input, i, factor) -> {
          Ball shared = delta.get(o).shared(sharers());
          sums.get(input).addProduct(i, shared, Ball.exact(factor));
        });
    List<Values> gradients = new ArrayList<>();
    for (int input = 0; input < sums.size(); input++) {
      gradients.add(inputs.get(input).with(sums.get(input)));
    }
    return gradients;
  }
}
