package io.github.amb.models.graph;

/**
 * A layer, or another function of a network's values, as data. An engine has code for each kind.
 *
 * <p>Places are indices in the flat parameter vector.
 */
public interface Node {
  /** Shape of its result. */
  Shape shape();

  /** Multiplications by weights in the forward pass of one example; 0 for a node without them. */
  default long multiplications() {
    return 0;
  }

  /** The function that is applied to its result. */
  default Activation activation() {
    return Activation.IDENTITY;
  }

  /** The same with this {@link #activation} in place of none; null if it cannot have it. */
  default Node followedBy(Activation activation) {
    return null;
  }

  /**
   * Attention of several heads, {@code softmax(Q Kᵀ / √d + M) V} per example and head (Vaswani et
   * al., 2017). A row of the input has the queries of all heads, then their keys, then their
   * values.
   *
   * @param shape of the result
   * @param causal whether M is −∞ for later positions, instead of 0
   * @param keep share of the softmax that dropout keeps in training
   */
  record Attention(Shape shape, int heads, boolean causal, double keep) implements Node {}

  /** Concatenates the channels of several values. */
  record Concatenation(Shape shape) implements Node {}

  /**
   * A convolution.
   *
   * @param weights place of [out, in, kernel height, kernel width], or, if it is depthwise, of
   *     [kernel height, kernel width, in, out / in]
   * @param bias place of the bias; −1 for none
   * @param depthwise whether each channel is convolved by itself
   */
  record Convolution(
      Shape input,
      Shape shape,
      KernelWindow window,
      int weights,
      int bias,
      boolean depthwise,
      Activation activation)
      implements Node {
    @Override
    public Node followedBy(Activation next) {
      return new Convolution(input, shape, window, weights, bias, depthwise, next);
    }

    /** Those by padding, which some implementations leave out, are counted. */
    @Override
    public long multiplications() {
      long perValue = window.kernel()[0] * window.kernel()[1] * (depthwise ? 1 : input.channels());
      return perValue * shape.size();
    }
  }

  /**
   * A fully connected layer on the values of each example, planes one after the other, or of each
   * position of a sequence.
   *
   * @param weights place of [out, in]
   * @param bias place of the bias; −1 for none
   */
  record Dense(Shape input, int outputs, int weights, int bias, Activation activation)
      implements Node {
    @Override
    public Shape shape() {
      return input.isSequence()
          ? Shape.sequence(input.positions(), outputs)
          : Shape.vector(outputs);
    }

    @Override
    public long multiplications() {
      return (long) outputs * input.size();
    }

    @Override
    public Node followedBy(Activation next) {
      return new Dense(input, outputs, weights, bias, next);
    }
  }

  /**
   * In training, keeps each value with probability {@code keep} and divides it by that, and sets it
   * to 0 otherwise.
   */
  record Dropout(Shape shape, double keep) implements Node {}

  /** A function applied to each value. */
  record Elementwise(Shape shape, Activation activation) implements Node {}

  /**
   * The sum of a vector per token and one per position. The input has tokens as numbers.
   *
   * @param shape of the result
   * @param vocabulary number of tokens
   * @param context number of positions that have a vector
   * @param tokens place of [vocabulary, features]
   * @param places place of [context, features]
   */
  record Embedding(Shape shape, int vocabulary, int context, int tokens, int places)
      implements Node {
    /**
     * The token that a value of the input stands for.
     *
     * @throws IllegalArgumentException if it is none
     */
    public int token(float value) {
      int token = (int) value;
      if (token != value || token < 0 || token >= vocabulary) {
        throw new IllegalArgumentException(
            "expected a token from 0 to %d, found %s".formatted(vocabulary - 1, value));
      }
      return token;
    }
  }

  /**
   * Group normalization (Wu and He, 2018): each example's channels are normalized in groups,
   * multiplied by γ and shifted by β.
   *
   * @param offset place of γ, followed by β
   * @param epsilon added to variances
   * @param activation ReLU or none
   */
  record GroupNormalization(
      Shape shape, int groups, int offset, double epsilon, Activation activation) implements Node {
    @Override
    public Node followedBy(Activation next) {
      return next == Activation.RELU
          ? new GroupNormalization(shape, groups, offset, epsilon, next)
          : null;
    }
  }

  /**
   * Layer normalization (Ba, Kiros and Hinton, 2016) of each position, multiplied by γ and, if
   * there is one, shifted by β.
   *
   * @param offset place of γ, followed by β
   * @param epsilon added to variances
   */
  record LayerNormalization(Shape shape, int offset, boolean shifted, float epsilon)
      implements Node {}

  /**
   * Batch normalization (Ioffe and Szegedy, 2015) with DL4J's parameters, in this order: γ and β,
   * unless they are fixed at 1 and 0; the running mean; log₁₀ of the running standard deviation.
   *
   * <p>In training it normalizes by the statistics of the current examples, otherwise by the
   * running ones.
   *
   * @param offset place of the first parameter
   * @param scaled whether there are γ and β
   * @param decay share of a running statistic that is kept per update
   * @param epsilon added to variances
   * @param activation ReLU or none
   */
  record Normalization(
      Shape shape, int offset, boolean scaled, double decay, double epsilon, Activation activation)
      implements Node {
    @Override
    public Node followedBy(Activation next) {
      return next == Activation.RELU
          ? new Normalization(shape, offset, scaled, decay, epsilon, next)
          : null;
    }

    /** Place of the running mean, which the running deviation follows. */
    public int statistics() {
      return offset + (scaled ? 2 * shape.channels() : 0);
    }
  }

  /**
   * Adds zeros around planes.
   *
   * @param top number of rows of zeros above
   * @param left number of columns of zeros on the left
   */
  record Padding(Shape input, Shape shape, int top, int left) implements Node {
    /** Number of rows of zeros below. */
    public int bottom() {
      return shape.height() - input.height() - top;
    }

    /** Number of columns of zeros on the right. */
    public int right() {
      return shape.width() - input.width() - left;
    }
  }

  /**
   * The pixels of images as sequences, row by row, plus a vector per position.
   *
   * @param planes shape of the images
   * @param places place of [positions, channels]
   */
  record Patches(Shape planes, int places) implements Node {
    @Override
    public Shape shape() {
      return Shape.sequence(planes.height() * planes.width(), planes.channels());
    }
  }

  /**
   * A function of the values in a window.
   *
   * @param inner shape of the result as planes
   * @param shape shape of the result: the same, or a vector
   */
  record Pooling(Shape input, Shape inner, Shape shape, KernelWindow window, Kind kind)
      implements Node {
    /** The function. */
    public enum Kind {
      /** The largest value. */
      MAX,
      /** The mean, to which padding adds zeros. */
      MEAN_WITH_PADDING,
      /** The mean of the values that are no padding. */
      MEAN
    }
  }

  /** Multiplies each value by a factor; with factor 0 it has no gradient. */
  record Scale(Shape shape, float factor) implements Node {}

  /** The mean over the positions of a sequence. */
  record SequenceMean(Shape input) implements Node {
    @Override
    public Shape shape() {
      return Shape.vector(input.features());
    }
  }

  /** The sum of two values. */
  record Sum(Shape shape, Activation activation) implements Node {
    @Override
    public Node followedBy(Activation next) {
      return new Sum(shape, next);
    }
  }
}
