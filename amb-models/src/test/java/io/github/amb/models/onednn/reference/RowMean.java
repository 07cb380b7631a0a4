package io.github.amb.models.onednn.reference;

import java.util.List;

/** The mean over the rows of an example. */
final class RowMean extends Linear {
  private final int positions;

  RowMean(int positions) {
    this.positions = positions;
  }

  @Override
  Values results(List<Values> inputs) {
    Values x = inputs.get(0);
    return new Values(x.examples / positions, x.channels, 1, 1);
  }

  @Override
  int sharers() {
    return positions;
  }

  @Override
  void each(List<Values> inputs, Values results, Term term) {
    int channels = results.channels;
    for (int i = 0; i < inputs.get(0).size(); i++) {
      int result = i / channels / positions * channels + i % channels;
      term.at(result, 0, i, 1.0 / positions);
    }
  }
}
