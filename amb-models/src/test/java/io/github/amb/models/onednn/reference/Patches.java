package io.github.amb.models.onednn.reference;

import java.util.List;

/** The pixels of images as rows, each with its channels, plus a vector per position. */
final class Patches implements Layer {
  private final int places;
  private Values x;

  /**
   * @param places place of [positions, channels] in the parameter vector
   */
  Patches(int places) {
    this.places = places;
  }

  /** The entry of an image at the place of an entry of the result. */
  private int source(int i) {
    int positions = x.height * x.width;
    int row = i / x.channels;
    return (row / positions * x.channels + i % x.channels) * positions + row % positions;
  }

  private int place(int i) {
    return places + i % x.perExample();
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    x = inputs.get(0);
    Values result = new Values(x.examples * x.height * x.width, x.channels, 1, 1);
    for (int i = 0; i < result.size(); i++) {
      result.set(i, x.get(source(i)).plus(pass.parameters.get(place(i))));
    }
    return result;
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    Values gradient = x.like();
    for (int i = 0; i < delta.size(); i++) {
      gradient.set(source(i), delta.get(i));
      pass.gradient.add(place(i), delta.get(i));
    }
    return List.of(gradient);
  }
}
