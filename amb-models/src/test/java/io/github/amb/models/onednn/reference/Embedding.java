package io.github.amb.models.onednn.reference;

import java.util.List;

/** The sum of a vector per token and one per position; a row of the result is a position. */
final class Embedding implements Layer {
  private final int width;
  private final int tokens;
  private final int places;
  private Values x;

  /**
   * @param tokens place of [vocabulary, width] in the parameter vector
   * @param places place of [context, width] in the parameter vector
   */
  Embedding(int width, int tokens, int places) {
    this.width = width;
    this.tokens = tokens;
    this.places = places;
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    x = inputs.get(0);
    Values result = new Values(x.size(), width, 1, 1);
    for (int i = 0; i < result.size(); i++) {
      result.set(i, pass.parameters.get(token(i)).plus(pass.parameters.get(place(i))));
    }
    return result;
  }

  private int token(int i) {
    return tokens + (int) x.value[i / width] * width + i % width;
  }

  private int place(int i) {
    return places + i % (x.perExample() * width);
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    for (int i = 0; i < delta.size(); i++) {
      pass.gradient.add(token(i), delta.get(i));
      pass.gradient.add(place(i), delta.get(i));
    }
    return List.of(x.like());
  }
}
