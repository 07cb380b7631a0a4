package io.github.amb.peers.tensorflow;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Gradients;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.types.TFloat32;

/**
 * Gradients per second of TensorFlow; the questions it answers are those of {@code
 * io.github.amb.bench.PeerProgram}.
 *
 * <p>Images have their channels last, as TensorFlow's convolutions on a CPU want them.
 */
public final class TensorFlowPeer {
  private static final int FIRST_BATCH = 8;

  private final int height;
  private final int width;
  private final int channels;
  private final int classes;
  private final Session session;
  private final Placeholder<TFloat32> input;
  private final Placeholder<TFloat32> labels;
  private final Operand<TFloat32> loss;
  private final Gradients gradients;
  private final Map<Integer, TFloat32[]> batches = new HashMap<>();
  private final long parameters;

  /**
   * @param directory holds network.json, as DL4J writes it, and blocks.txt (name, kind, dimensions)
   * @param sizes channels, height, width, classes
   */
  private TensorFlowPeer(Graph graph, Path directory, int[] sizes) throws IOException {
    channels = sizes[0];
    height = sizes[1];
    width = sizes[2];
    classes = sizes[3];
    Ops tf = Ops.create(graph);
    Weights weights = Weights.read(tf, directory.resolve("blocks.txt"));
    input =
        tf.placeholder(TFloat32.class, Placeholder.shape(Shape.of(-1, height, width, channels)));
    labels = tf.placeholder(TFloat32.class, Placeholder.shape(Shape.of(-1, classes)));
    var json = JsonMapper.builder().build().readTree(directory.resolve("network.json").toFile());
    Operand<TFloat32> logits = new Dl4jNetwork(tf, json, weights).logits(input);
    loss = tf.reduceSum(tf.nn.softmaxCrossEntropyWithLogits(logits, labels).loss(), tf.constant(0));
    gradients = tf.gradients(loss, weights.trained());
    parameters = weights.parameters();
    session =
        new Session(
            graph,
            ConfigProto.newBuilder()
                .setIntraOpParallelismThreads(1)
                .setInterOpParallelismThreads(1)
                .build());
    weights.initialize(session);
  }

  /** Answers until its input ends. */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    int[] sizes = new int[4];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Integer.parseInt(arguments[2 + i]);
    }
    try (Graph graph = new Graph()) {
      TensorFlowPeer peer = new TensorFlowPeer(graph, Path.of(arguments[1]), sizes);
      peer.step(FIRST_BATCH);
      System.out.println("peer ready " + peer.parameters);
      peer.answer(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)));
    }
  }

  private void answer(BufferedReader questions) throws IOException {
    for (String line = questions.readLine(); line != null; line = questions.readLine()) {
      String[] words = line.split(" ");
      double speed = speed(Integer.parseInt(words[0]), Double.parseDouble(words[1]));
      System.out.println(String.format(Locale.ROOT, "peer speed %f", speed));
    }
  }

  private double speed(int batch, double seconds) {
    long start = System.nanoTime();
    long count = 0;
    double passed = 0;
    while (passed < seconds) {
      step(batch);
      count += batch;
      passed = (System.nanoTime() - start) / 1e9;
    }
    return count / passed;
  }

  /** Computes loss and gradients, which stay where TensorFlow has them. */
  private void step(int size) {
    TFloat32[] batch = batches.computeIfAbsent(size, this::batch);
    Session.Runner runner = session.runner().feed(input, batch[0]).feed(labels, batch[1]);
    for (int i = 0; i < gradients.dy().size(); i++) {
      runner.addTarget(gradients.dy(i).op());
    }
    try (var result = runner.fetch(loss).run()) {
      result.get(0);
    }
  }

  private TFloat32[] batch(int size) {
    Random random = new Random(1);
    float[] pixels = new float[size * height * width * channels];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    float[] oneHot = new float[size * classes];
    for (int i = 0; i < size; i++) {
      oneHot[i * classes + i % classes] = 1f;
    }
    return new TFloat32[] {
      TFloat32.tensorOf(Shape.of(size, height, width, channels), DataBuffers.of(pixels)),
      TFloat32.tensorOf(Shape.of(size, classes), DataBuffers.of(oneHot))
    };
  }
}
