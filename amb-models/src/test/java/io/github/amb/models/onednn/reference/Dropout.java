package io.github.amb.models.onednn.reference;

import java.util.List;

/** Keeps each value with a probability, divided by it, and makes it 0 otherwise. */
final class Dropout implements Layer {
  private final double keep;
  private float[] mask;

  Dropout(double keep) {
    this.keep = keep;
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    Values x = inputs.get(0);
    if (!pass.training) {
      return x;
    }
    mask = pass.mask(x.size(), keep);
    return times(x);
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    return List.of(times(delta));
  }

  private Values times(Values x) {
    Values result = x.like();
    for (int i = 0; i < x.size(); i++) {
      result.set(i, x.get(i).times(Ball.exact(mask[i])));
    }
    return result;
  }
}
