package io.github.amb.models.device;

import io.github.amb.models.device.DevicePlan.Slot;
import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Adds the kernels of each kind of {@link Node} to a plan. Arrays are row-major. */
record DeviceLayers(DevicePlan plan) {
  /**
   * Maximum number of words of the unfolded values of a convolution, unless an example has more.
   */
  private static final long UNFOLDED = 1 << 24;

  private static final int TILE = 32;

  /**
   * Adds the kernels of the forward pass.
   *
   * @return the result, which can add the kernels of the backward pass
   * @throws DeviceException if there is no kernel for the node
   */
  Value<Slot> add(Node node, List<Value<Slot>> inputs) {
    Value<Slot> x = inputs.get(0);
    if (node instanceof Node.Dense dense) {
      return dense(dense, x);
    } else if (node instanceof Node.Elementwise function) {
      return elementwise(function, x);
    } else if (node instanceof Node.Convolution convolution) {
      return new DeviceWindows(plan, this).convolution(convolution, x);
    } else if (node instanceof Node.Pooling pooling) {
      return new DeviceWindows(plan, this).pooling(pooling, x);
    } else if (node instanceof Node.Normalization normalization) {
      return new DeviceNormalizations(plan, this).batch(normalization, x);
    } else if (node instanceof Node.GroupNormalization normalization) {
      return new DeviceNormalizations(plan, this).group(normalization, x);
    } else if (node instanceof Node.LayerNormalization normalization) {
      return new DeviceNormalizations(plan, this).layer(normalization, x);
    } else if (node instanceof Node.Sum sum) {
      return sum(sum, inputs);
    } else if (node instanceof Node.Concatenation all) {
      return concatenation(all, inputs);
    } else if (node instanceof Node.Padding padding) {
      return padding(padding, x);
    } else if (node instanceof Node.Dropout dropout) {
      return dropout(dropout, x);
    } else if (node instanceof Node.Scale scale) {
      return scale(scale, x);
    } else if (node instanceof Node.Embedding embedding) {
      return new DeviceSequences(plan, this).embedding(embedding, x);
    } else if (node instanceof Node.Patches patches) {
      return new DeviceSequences(plan, this).patches(patches, x);
    } else if (node instanceof Node.SequenceMean mean) {
      return new DeviceSequences(plan, this).mean(mean, x);
    } else if (node instanceof Node.Attention attention) {
      return new DeviceSequences(plan, this).attention(attention, x);
    }
    throw new DeviceException(
        "expected a layer that a device computes, found %s; leave out --device",
        node.getClass().getSimpleName());
  }

  /** Adds the sum of two arrays. */
  Slot sum(Slot a, Slot b) {
    return sum(a, b, a.words(), Activation.IDENTITY);
  }

  private Slot sum(Slot a, Slot b, long count, Activation after) {
    Slot sum = plan.slot(count);
    plan.perItem("add", count, a, b, sum, (int) count, after.ordinal());
    return sum;
  }

  /** Number of values of all examples. */
  long count(Shape shape) {
    return (long) plan.examples * shape.size();
  }

  static int plane(Shape shape) {
    return shape.size() / shape.channels();
  }

  /** Adds the derivative of an activation, of which {@code kept} is the result. */
  Slot slope(Activation activation, Slot kept, Slot delta) {
    if (activation == Activation.IDENTITY) {
      return delta;
    }
    Slot inner = plan.slot(delta.words());
    int count = (int) delta.words();
    plan.perItem("activation_backward", count, kept, delta, inner, count, activation.ordinal());
    return inner;
  }

  private Value<Slot> elementwise(Node.Elementwise node, Value<Slot> x) {
    int count = (int) count(node.shape());
    Slot result = plan.slot(count);
    Activation function = node.activation();
    plan.perItem("activation", count, x.tensor(), result, count, function.ordinal());
    Slot kept = function.hasDerivativeOfResult() ? result : x.tensor();
    return Value.of(
        result, node.shape(), List.of(x), delta -> x.addGradient(slope(function, kept, delta)));
  }

  /**
   * A matrix, or several of them, in an array.
   *
   * @param array a slot, a part of one, or an array of the device
   * @param row entries from a row to the next
   * @param column entries from a column to the next; 1 for a result
   * @param outer entries from a matrix to the next of the outer count
   * @param inner entries from a matrix to the next of the inner count
   * @param sum entries from a matrix to the next of those whose products are summed
   */
  record Matrix(Object array, int row, int column, int outer, int inner, int sum) {
    Matrix(Object array, int row, int column) {
      this(array, row, column, 0, 0, 0);
    }

    static Matrix rows(Object array, int columns) {
      return new Matrix(array, columns, 1);
    }

    static Matrix turned(Object array, int rows) {
      return new Matrix(array, 1, rows);
    }

    Matrix each(int outer, int inner) {
      return new Matrix(array, row, column, outer, inner, sum);
    }

    Matrix summed(int step) {
      return new Matrix(array, row, column, outer, inner, step);
    }
  }

  /**
   * How many products there are.
   *
   * @param sums how many of them are summed to one
   */
  record Count(int outer, int inner, int sums) {
    static final Count ONE = new Count(1, 1, 1);
  }

  /** Adds {@code c = factor a b}, or {@code c += factor a b}; c has m rows and n columns. */
  void product(
      int m, int n, int k, Matrix a, Matrix b, Matrix c, Count count, float factor, boolean adds) {
    plan.perGroup(
        "product",
        (long) count.outer * count.inner * tiles(m, n),
        a.array,
        b.array,
        c.array,
        m,
        n,
        k,
        count.inner,
        count.sums,
        a.row,
        a.column,
        a.outer,
        a.inner,
        a.sum,
        b.row,
        b.column,
        b.outer,
        b.inner,
        b.sum,
        c.row,
        c.outer,
        c.inner,
        factor,
        adds ? 1f : 0f);
  }

  static long tiles(int m, int n) {
    return (long) ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
  }

  void biasAndActivation(Slot result, int bias, int channels, int plane, Activation activation) {
    if (bias >= 0 || activation != Activation.IDENTITY) {
      plan.perItem(
          "bias_activation",
          result.words(),
          result,
          plan.parameter(Math.max(0, bias)),
          (int) result.words(),
          channels,
          plane,
          bias >= 0 ? 1 : 0,
          activation.ordinal());
    }
  }

  void addBiasGradient(Slot delta, int bias, int outer, int channels, int plane) {
    if (bias >= 0) {
      addSums(delta, bias, outer, channels, plane);
    }
  }

  /** Adds sums per channel of [outer, channels, plane] to a part of the gradient. */
  void addSums(Object array, int offset, int outer, int channels, int plane) {
    plan.perGroup("sums", channels, array, plan.gradient(offset), outer, channels, plane);
  }

  private Value<Slot> dense(Node.Dense node, Value<Slot> x) {
    int rows = plan.examples * node.input().positions();
    int in = node.input().features();
    int out = node.outputs();
    Slot result = plan.slot((long) rows * out);
    Matrix source = Matrix.rows(x.tensor(), in);
    Object weights = plan.parameter(node.weights());
    Matrix turned = Matrix.turned(weights, in);
    product(rows, out, in, source, turned, Matrix.rows(result, out), Count.ONE, 1, false);
    biasAndActivation(result, node.bias(), out, 1, node.activation());
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Slot inner = slope(node.activation(), result, delta);
          Matrix sum = Matrix.rows(plan.gradient(node.weights()), in);
          product(out, in, rows, Matrix.turned(inner, out), source, sum, Count.ONE, 1, true);
          addBiasGradient(inner, node.bias(), rows, out, 1);
          if (x.isDifferentiable()) {
            Slot gradient = plan.slot((long) rows * in);
            Matrix d = Matrix.rows(inner, out);
            Matrix to = Matrix.rows(gradient, in);
            product(rows, in, out, d, Matrix.rows(weights, in), to, Count.ONE, 1, false);
            x.addGradient(gradient);
          }
        });
  }

  /** Arguments with others that come last. */
  static Object[] with(Object[] last, Object... first) {
    Object[] all = Arrays.copyOf(first, first.length + last.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }

  private Value<Slot> sum(Node.Sum node, List<Value<Slot>> inputs) {
    Slot a = inputs.get(0).tensor();
    Slot result = sum(a, inputs.get(1).tensor(), count(node.shape()), node.activation());
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          Slot inner = slope(node.activation(), result, delta);
          inputs.forEach(summand -> summand.addGradient(inner));
        });
  }

  private Value<Slot> concatenation(Node.Concatenation node, List<Value<Slot>> inputs) {
    int all = node.shape().size();
    Slot result = plan.slot(count(node.shape()));
    List<Integer> places = new ArrayList<>();
    int first = 0;
    for (Value<Slot> input : inputs) {
      int length = input.shape().size();
      int count = plan.examples * length;
      Object to = result.at(first);
      plan.perItem("copy_rows", count, input.tensor(), to, count, length, length, all);
      places.add(first);
      first += length;
    }
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          for (int i = 0; i < places.size(); i++) {
            Value<Slot> input = inputs.get(i);
            if (input.isDifferentiable()) {
              int length = input.shape().size();
              int count = plan.examples * length;
              Slot gradient = plan.slot(count);
              Object from = delta.at(places.get(i));
              plan.perItem("copy_rows", count, from, gradient, count, length, all, length);
              input.addGradient(gradient);
            }
          }
        });
  }

  private Value<Slot> padding(Node.Padding node, Value<Slot> x) {
    Slot result = shifted(x.tensor(), node.input(), node.shape(), node.top(), node.left());
    return Value.of(
        result,
        node.shape(),
        List.of(x),
        delta ->
            x.addGradient(shifted(delta, node.shape(), node.input(), -node.top(), -node.left())));
  }

  private Slot shifted(Slot from, Shape before, Shape after, int top, int left) {
    Slot result = plan.slot(count(after));
    int count = (int) result.words();
    plan.perItem(
        "shift",
        count,
        from,
        result,
        count,
        before.height(),
        before.width(),
        after.height(),
        after.width(),
        top,
        left);
    return result;
  }

  private Value<Slot> dropout(Node.Dropout node, Value<Slot> x) {
    return plan.training ? dropped(x, node.keep()) : x;
  }

  /** Values that dropout keeps, and divides by the share that it keeps. */
  Value<Slot> dropped(Value<Slot> x, double keep) {
    int count = (int) x.tensor().words();
    Slot mask = plan.slot(count);
    float[] values = new float[count];
    plan.action(
        () -> {
          plan.random().mask(values, count, keep);
          plan.write(values, mask, count);
        },
        mask);
    return Value.of(
        product(x.tensor(), mask),
        x.shape(),
        List.of(x),
        delta -> x.addGradient(product(delta, mask)));
  }

  private Slot product(Slot a, Slot b) {
    Slot product = plan.slot(a.words());
    plan.perItem("multiply", a.words(), a, b, product, (int) a.words());
    return product;
  }

  private Value<Slot> scale(Node.Scale node, Value<Slot> x) {
    Slot result = scaled(x.tensor(), node.factor());
    return node.factor() == 0
        ? new Value<>(result, node.shape(), null)
        : Value.of(
            result, node.shape(), List.of(x), delta -> x.addGradient(scaled(delta, node.factor())));
  }

  private Slot scaled(Slot x, float factor) {
    Slot result = plan.slot(x.words());
    plan.perItem("scale", x.words(), x, result, (int) x.words(), factor);
    return result;
  }
}
