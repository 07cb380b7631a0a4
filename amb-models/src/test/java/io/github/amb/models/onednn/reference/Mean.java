package io.github.amb.models.onednn.reference;

import java.util.List;

/** Mean over a window; the quotient is one rounding more than a float's factor has. */
final class Mean extends Linear {
  private final Window window;
  private final boolean countsPadding;

  Mean(Window window, boolean countsPadding) {
    this.window = window;
    this.countsPadding = countsPadding;
  }

  @Override
  Values results(List<Values> inputs) {
    Values x = inputs.get(0);
    return window.over(x, x.channels);
  }

  @Override
  int sharers() {
    return window.kernel()[0] * window.kernel()[1];
  }

  @Override
  void each(List<Values> inputs, Values results, Term term) {
    Values x = inputs.get(0);
    for (int o = 0; o < results.size(); o++) {
      int result = o;
      int plane = o / (results.height * results.width) * x.height * x.width;
      int row = o / results.width % results.height;
      int column = o % results.width;
      int[] cells = {0};
      window.each(x, row, column, (y, left, cell) -> cells[0]++);
      int count = countsPadding ? window.kernel()[0] * window.kernel()[1] : cells[0];
      window.each(
          x,
          row,
          column,
          (y, left, cell) -> term.at(result, 0, plane + y * x.width + left, 1.0 / count));
    }
  }
}
