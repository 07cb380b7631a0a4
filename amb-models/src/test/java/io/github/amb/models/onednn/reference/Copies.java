package io.github.amb.models.onednn.reference;

import java.util.List;

/** Linear layers with at most one term per entry of an input. */
final class Copies {
  private Copies() {}

  /** Each value times a number. */
  static Linear scale(double factor) {
    return new Linear() {
      @Override
      Values results(List<Values> inputs) {
        return inputs.get(0).like();
      }

      @Override
      void each(List<Values> inputs, Values results, Term term) {
        for (int i = 0; i < results.size(); i++) {
          term.at(i, 0, i, factor);
        }
      }
    };
  }

  /** The sum of all inputs, which have the same shape. */
  static Linear sum() {
    return new Linear() {
      @Override
      Values results(List<Values> inputs) {
        return inputs.get(0).like();
      }

      @Override
      void each(List<Values> inputs, Values results, Term term) {
        for (int i = 0; i < results.size(); i++) {
          for (int input = 0; input < inputs.size(); input++) {
            term.at(i, input, i, 1);
          }
        }
      }
    };
  }

  /** The channels of all inputs, one after the other. */
  static Linear concatenation() {
    return new Linear() {
      @Override
      Values results(List<Values> inputs) {
        Values x = inputs.get(0);
        int channels = inputs.stream().mapToInt(input -> input.channels).sum();
        return new Values(x.examples, channels, x.height, x.width);
      }

      @Override
      void each(List<Values> inputs, Values results, Term term) {
        int before = 0;
        for (int input = 0; input < inputs.size(); input++) {
          int size = inputs.get(input).perExample();
          for (int i = 0; i < inputs.get(input).size(); i++) {
            term.at(i / size * results.perExample() + before + i % size, input, i, 1);
          }
          before += size;
        }
      }
    };
  }

  /**
   * Zeros around images.
   *
   * @param sides rows above, rows below, columns on the left, columns on the right
   */
  static Linear padding(int[] sides) {
    return new Linear() {
      @Override
      Values results(List<Values> inputs) {
        Values x = inputs.get(0);
        int height = x.height + sides[0] + sides[1];
        return new Values(x.examples, x.channels, height, x.width + sides[2] + sides[3]);
      }

      @Override
      void each(List<Values> inputs, Values results, Term term) {
        Values x = inputs.get(0);
        for (int i = 0; i < x.size(); i++) {
          int plane = i / (x.height * x.width);
          int row = plane * results.height + i / x.width % x.height + sides[0];
          term.at(row * results.width + i % x.width + sides[2], 0, i, 1);
        }
      }
    };
  }
}
