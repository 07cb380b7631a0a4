package io.github.amb.models.onednn.reference;

import java.util.List;

/** Maximum over a window, without the padding. */
final class Maximum implements Layer {
  private final Window window;
  private Values x;
  private int[] chosen;

  Maximum(Window window) {
    this.window = window;
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    x = inputs.get(0);
    Values results = window.over(x, x.channels);
    chosen = new int[results.size()];
    for (int o = 0; o < results.size(); o++) {
      chosen[o] = largest(pass, results, o);
      results.set(o, x.get(chosen[o]));
    }
    return results;
  }

  private int largest(Pass pass, Values results, int o) {
    int plane = o / (results.height * results.width) * x.height * x.width;
    int row = o / results.width % results.height;
    int[] best = {-1};
    window.each(
        x,
        row,
        o % results.width,
        (y, left, cell) -> {
          int i = plane + y * x.width + left;
          if (best[0] < 0 || x.value[i] > x.value[best[0]]) {
            best[0] = i;
          }
        });
    window.each(
        x,
        row,
        o % results.width,
        (y, left, cell) -> {
          int i = plane + y * x.width + left;
          if (i != best[0]) {
            pass.isPositive(x.value[best[0]] - x.value[i], x.variance[best[0]] + x.variance[i]);
          }
        });
    pass.note(best[0]);
    return best[0];
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    Sums sums = new Sums(x.size());
    for (int o = 0; o < chosen.length; o++) {
      sums.add(chosen[o], delta.get(o));
    }
    return List.of(x.with(sums));
  }
}
