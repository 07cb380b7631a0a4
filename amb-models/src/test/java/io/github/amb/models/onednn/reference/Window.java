package io.github.amb.models.onednn.reference;

import org.deeplearning4j.nn.conf.ConvolutionMode;

/** A rectangle that moves over an image, as DL4J places it; each array: height, width. */
record Window(int[] kernel, int[] stride, int[] padding, ConvolutionMode mode) {
  /** Places along one side: 0 for the height, 1 for the width. */
  int places(int size, int side) {
    return mode == ConvolutionMode.Same
        ? (size + stride[side] - 1) / stride[side]
        : (size + 2 * padding[side] - kernel[side]) / stride[side] + 1;
  }

  /** Pixel under the window's first cell at the first place; not positive. */
  private int first(int size, int side) {
    if (mode != ConvolutionMode.Same) {
      return -padding[side];
    }
    int covered = (places(size, side) - 1) * stride[side] + kernel[side];
    return -(Math.max(0, covered - size) / 2);
  }

  /** An array for one result per place. */
  Values over(Values x, int channels) {
    return new Values(x.examples, channels, places(x.height, 0), places(x.width, 1));
  }

  /** Called with an image's pixel under a cell of the window. */
  interface Cell {
    void at(int y, int x, int cell);
  }

  /** Visits the cells that lie in the image, at one place. */
  void each(Values image, int placeY, int placeX, Cell visitor) {
    int top = first(image.height, 0) + placeY * stride[0];
    int left = first(image.width, 1) + placeX * stride[1];
    for (int cell = 0; cell < kernel[0] * kernel[1]; cell++) {
      int y = top + cell / kernel[1];
      int x = left + cell % kernel[1];
      if (y >= 0 && y < image.height && x >= 0 && x < image.width) {
        visitor.at(y, x, cell);
      }
    }
  }
}
