package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.ScaledExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.NetworkSource;
import io.github.amb.models.dl4j.OutputLoss;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Scratchpad;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.rng.UniformRandomProvider;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Gradient sums of a network that DL4J describes, computed by oneDNN.
 *
 * <p>A partition passes in slices of {@link #SLICE} examples, whose values fit into the caches, if
 * no layer mixes examples; otherwise at once. For each size of slice there is a {@link Plan}. The
 * gradient of dense layers is put off for up to {@link PendingRows#MAX} examples, so {@link
 * #finish} may do a product of that many rows for each of them, whatever the batch.
 */
public final class OneDnnGradientSource extends NetworkSource {
  /** Larger slices are no faster, smaller ones go through a dense layer's matrix more often. */
  private static final int SLICE = 64;

  private static final int EVALUATION_SLICE = 128;

  private final NetworkGraph network;
  private final PlanMemory arrays = new PlanMemory();
  private final Scratchpad scratchpad = new Scratchpad();
  private final Parameters parameters;
  private final GradientVector gradient;
  private final DropoutRandom random = new DropoutRandom();
  private final Plans plans;
  private final float[] features;
  private final OutputLoss loss;
  private float[] rows = {};
  private Streams streams;
  private UniformRandomProvider changes;
  private long partition;

  private OneDnnGradientSource(
      Architecture architecture, NetworkGraph network, DataSet data, Precision precision) {
    super(architecture, data);
    this.network = network;
    int size = network.layout().size();
    parameters = new Parameters(size, scratchpad);
    gradient = new GradientVector(size, precision, scratchpad);
    plans =
        new Plans(
            network, new PlanBuilder.Memory(parameters, gradient, arrays, scratchpad, random));
    features = new float[network.input().size()];
    loss = OutputLoss.of(architecture);
  }

  /** The same in fp32. */
  public static Optional<OneDnnGradientSource> of(Architecture architecture, DataSet data) {
    return of(architecture, data, Precision.FP32);
  }

  /**
   * A source of a network's gradients. Empty if the network has a layer that is not supported here,
   * or oneDNN has no build for this host.
   *
   * @param data examples of the shape that the network expects
   * @param precision of gradients alone; scores and outputs are computed in fp32
   */
  public static Optional<OneDnnGradientSource> of(
      Architecture architecture, DataSet data, Precision precision) {
    if (!OneDnn.isAvailable()) {
      return Optional.empty();
    }
    return GraphReader.read(architecture)
        .map(network -> new OneDnnGradientSource(architecture, network, data, precision));
  }

  /** Whether oneDNN can compute gradients of a network on this host. */
  public static boolean isFor(Architecture architecture) {
    return OneDnn.isAvailable() && GraphReader.read(architecture).isPresent();
  }

  /**
   * Floating-point operations of convolutions and dense layers for the gradient of one example;
   * empty for a network with a layer that is not known here.
   */
  public static OptionalLong operations(Architecture architecture) {
    return GraphReader.read(architecture).stream().mapToLong(NetworkGraph::operations).findFirst();
  }

  /** oneDNN's version and the processor's instructions that it uses, by name; empty without it. */
  public static Map<String, String> describe() {
    return OneDnn.isAvailable()
        ? Map.of("onednn_version", OneDnn.version(), "onednn_instructions", OneDnn.instructions())
        : Map.of();
  }

  /**
   * Names of oneDNN's implementations of the convolutions for slices of {@code examples} examples.
   */
  List<String> convolutions(int examples) {
    return plans.training(examples).convolutions();
  }

  @Override
  public Layout layout() {
    return network.layout();
  }

  @Override
  protected void start(FloatBuffer source, long drawSeed) {
    parameters.load(source);
    beginSum(null, drawSeed);
  }

  @Override
  protected void start(FloatBuffer source, FloatBuffer target, long drawSeed) {
    parameters.use(source);
    beginSum(target, drawSeed);
  }

  private void beginSum(FloatBuffer target, long drawSeed) {
    gradient.begin(target);
    streams = new Streams(drawSeed);
    partition = 0;
  }

  @Override
  protected double add(int[] examples, int from, int to) {
    if (from == to) {
      return 0;
    }
    random.from(streams.stream("partition", 0, partition));
    changes = streams.stream("augmentation", 0, partition++);
    int slice = network.separable() ? slice(SLICE) : to - from;
    double sum = 0;
    for (int start = from; start < to; start += slice) {
      sum += addSlice(examples, start, Math.min(to, start + slice));
    }
    return sum;
  }

  /** The number of examples of a slice, which is {@code usual} if they are no sequences. */
  private int slice(int usual) {
    int positions = network.positions();
    return positions == 1 ? usual : Math.max(1, 2 * usual / positions);
  }

  private double addSlice(int[] examples, int from, int to) {
    Plan plan = plans.training(to - from);
    draw(plan.input.data(), examples, from, to);
    plan.forward();
    int length = read(plan, data.train(), to - from);
    double sum = loss.lossAndGradient(rows, data.train(), examples, from, to);
    plan.outputGradient.data().put(rows, 0, length);
    plan.backward();
    return sum;
  }

  /** Reads the rows of results of {@code count} examples; returns the number of entries. */
  private int read(Plan plan, Examples examples, int count) {
    int length = count * examples.positions() * loss.outputs();
    if (rows.length < length) {
      rows = new float[length];
    }
    plan.output.data().get(rows, 0, length);
    return length;
  }

  private void draw(FloatPointer target, int[] examples, int from, int to) {
    for (int i = from; i < to; i++) {
      data.train().drawFeatures(examples[i], changes, features);
      put(target, i - from, features);
    }
  }

  private void put(FloatPointer target, int row, float[] example) {
    if (example.length != features.length) {
      throw new IllegalArgumentException(
          "example: expected %d features, found %d".formatted(features.length, example.length));
    }
    target.position((long) row * example.length).put(example).position(0);
  }

  @Override
  protected void end(FloatBuffer target) {
    if (partition == 0) {
      gradient.finishEmpty(target);
    } else {
      gradient.finish(target);
    }
  }

  @Override
  protected Evaluation score(float[] source, int[] examples, int from, int to) {
    parameters.load(FloatBuffer.wrap(source));
    loss.beginScores();
    int slice = slice(EVALUATION_SLICE);
    for (int start = from; start < to; start += slice) {
      int end = Math.min(to, start + slice);
      Plan plan = plans.inference(end - start);
      for (int i = start; i < end; i++) {
        data.test().copyFeatures(examples[i], features);
        put(plan.input.data(), i - start, features);
      }
      plan.forward();
      read(plan, data.test(), end - start);
      loss.score(rows, data.test(), examples, start, end);
    }
    return data.scores(loss.scores());
  }

  /**
   * The network's outputs for some examples. Only the thread that closes this source may ask.
   *
   * @param source at least {@code layout().size()} parameters; not modified, not kept
   * @param examples the features of each; not modified
   * @return a row of a number per class for each position of each example, one after the other
   * @throws IllegalArgumentException if an example has another number of features
   */
  public float[] outputs(float[] source, float[]... examples) {
    parameters.load(FloatBuffer.wrap(source));
    int width = data.test().positions() * loss.outputs();
    float[] outputs = new float[examples.length * width];
    int slice = slice(EVALUATION_SLICE);
    for (int start = 0; start < examples.length; start += slice) {
      int count = Math.min(slice, examples.length - start);
      Plan plan = plans.inference(count);
      for (int i = 0; i < count; i++) {
        put(plan.input.data(), i, ScaledExamples.like(data.test(), examples[start + i]));
      }
      plan.forward();
      plan.output.data().get(outputs, start * width, count * width);
    }
    return outputs;
  }

  /** Number of outputs of a position. */
  public int outputs() {
    return loss.outputs();
  }

  /** The class that a row of {@link #predictions} stands for. */
  public int decides(float[] rows, int start) {
    return loss.decides(rows, start, data.classes());
  }

  /** As {@link #outputs}, but probabilities of classes and labels, or numbers. */
  public float[] predictions(float[] source, float[]... examples) {
    float[] rows = outputs(source, examples);
    for (int start = 0; start < rows.length; start += loss.outputs()) {
      loss.predict(rows, start);
    }
    return rows;
  }

  @Override
  protected void free() {
    plans.close();
    gradient.close();
    parameters.close();
    arrays.close();
    scratchpad.close();
  }
}
