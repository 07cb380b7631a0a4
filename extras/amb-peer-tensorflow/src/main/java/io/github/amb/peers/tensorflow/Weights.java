package io.github.amb.peers.tensorflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.Operand;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;

/** Variables in TensorFlow's shapes, by the names of our blocks. */
final class Weights {
  private final Map<String, Variable<TFloat32>> byName = new HashMap<>();
  private final List<Operand<TFloat32>> trained = new ArrayList<>();
  private final List<Op> assignments = new ArrayList<>();
  private long parameters;

  /** Reads lines of a block's name, kind and dimensions. */
  static Weights read(Ops tf, Path file) throws IOException {
    Weights weights = new Weights();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      long[] shape = Arrays.stream(words).skip(2).mapToLong(Long::parseLong).toArray();
      if (!words[1].equals("RUNNING_STATISTIC")) {
        weights.add(tf, words[0], shape);
      }
    }
    return weights;
  }

  /** From [out, in] to [in, out], from [out, in, height, width] to [height, width, in, out]. */
  private static long[] transposed(long[] shape) {
    return switch (shape.length) {
      case 2 -> new long[] {shape[1], shape[0]};
      case 4 -> new long[] {shape[2], shape[3], shape[1], shape[0]};
      default -> shape;
    };
  }

  private void add(Ops tf, String name, long[] shape) {
    long[] ours = transposed(shape);
    Variable<TFloat32> variable = tf.variable(Shape.of(ours), TFloat32.class);
    var normal = tf.random.truncatedNormal(tf.constant(ours), TFloat32.class);
    assignments.add(tf.assign(variable, tf.math.mul(normal, tf.constant(0.05f))));
    byName.put(name, variable);
    trained.add(variable);
    parameters += Arrays.stream(shape).reduce(1, (a, b) -> a * b);
  }

  /** The variable of a layer; null if it has none of that key. */
  Operand<TFloat32> of(String layer, String key) {
    return byName.get(layer + "." + key);
  }

  List<Operand<TFloat32>> trained() {
    return trained;
  }

  long parameters() {
    return parameters;
  }

  void initialize(Session session) {
    Session.Runner runner = session.runner();
    assignments.forEach(runner::addTarget);
    runner.run().close();
  }
}
