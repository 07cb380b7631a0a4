package io.github.amb.models.onednn.reference;

/** Fully connected; weights [out, in]. */
final class Dense extends Products {
  private final int outputs;

  Dense(int outputs, int weights, int bias) {
    super(weights, bias);
    this.outputs = outputs;
  }

  @Override
  Values results(Values x) {
    return new Values(x.examples, outputs, 1, 1);
  }

  @Override
  void each(Values x, Values results, Term term) {
    int in = x.perExample();
    for (int result = 0; result < results.size(); result++) {
      int start = result / outputs * in;
      for (int i = 0; i < in; i++) {
        term.at(result, start + i, result % outputs * in + i);
      }
    }
  }
}
