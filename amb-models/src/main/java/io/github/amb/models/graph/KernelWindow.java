package io.github.amb.models.graph;

import org.deeplearning4j.nn.conf.ConvolutionMode;

/**
 * A rectangle that moves over planes, as in convolutions and pooling. Each array has a height and a
 * width in pixels.
 */
public record KernelWindow(long[] kernel, long[] stride, long[] before, long[] after) {
  /**
   * Computes the window as DL4J does.
   *
   * @param padding ignored in mode Same
   */
  static KernelWindow of(
      Shape input, int[] kernel, int[] stride, int[] padding, ConvolutionMode mode) {
    long[] before = new long[2];
    long[] after = new long[2];
    int[] sizes = {input.height(), input.width()};
    for (int i = 0; i < 2; i++) {
      if (mode == ConvolutionMode.Same) {
        int results = (sizes[i] + stride[i] - 1) / stride[i];
        int total = Math.max(0, (results - 1) * stride[i] + kernel[i] - sizes[i]);
        before[i] = total / 2;
        after[i] = total - before[i];
      } else {
        before[i] = padding[i];
        after[i] = padding[i];
      }
    }
    return new KernelWindow(
        new long[] {kernel[0], kernel[1]}, new long[] {stride[0], stride[1]}, before, after);
  }

  /** A window that covers whole planes. */
  public static KernelWindow whole(Shape input) {
    long[] kernel = {input.height(), input.width()};
    return new KernelWindow(kernel, new long[] {1, 1}, new long[2], new long[2]);
  }

  /** Shape of the results for an input. */
  Shape over(Shape input, int channels) {
    return new Shape(channels, places(input.height(), 0), places(input.width(), 1));
  }

  private int places(int size, int i) {
    return (int) ((size + before[i] + after[i] - kernel[i]) / stride[i] + 1);
  }
}
