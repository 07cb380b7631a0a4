package io.github.amb.models.onednn.reference;

/**
 * A convolution with weights [out, in, kernel height, kernel width], or, if it is depthwise, of
 * [kernel height, kernel width, in, out / in].
 */
final class Convolution extends Products {
  private final Window window;
  private final int outputs;
  private final boolean depthwise;

  Convolution(Window window, int outputs, boolean depthwise, int weights, int bias) {
    super(weights, bias);
    this.window = window;
    this.outputs = outputs;
    this.depthwise = depthwise;
  }

  @Override
  Values results(Values x) {
    return window.over(x, outputs);
  }

  @Override
  void each(Values x, Values results, Term term) {
    int cells = window.kernel()[0] * window.kernel()[1];
    for (int n = 0; n < x.examples; n++) {
      for (int o = 0; o < outputs; o++) {
        int first = depthwise ? o * x.channels / outputs : 0;
        int end = depthwise ? first + 1 : x.channels;
        for (int i = first; i < end; i++) {
          int start = depthwise ? o : (o * x.channels + i) * cells;
          each(x, results, new Planes(n, i, o), start, depthwise ? outputs : 1, term);
        }
      }
    }
  }

  private record Planes(int example, int input, int result) {}

  /** The terms between one channel of an example and one of its result. */
  private void each(Values x, Values results, Planes at, int start, int step, Term term) {
    for (int row = 0; row < results.height; row++) {
      for (int column = 0; column < results.width; column++) {
        int result = results.index(at.example, at.result, row, column);
        window.each(
            x,
            row,
            column,
            (y, left, cell) ->
                term.at(result, x.index(at.example, at.input, y, left), start + step * cell));
      }
    }
  }
}
