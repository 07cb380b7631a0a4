package io.github.amb.models.graph;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.ScaledExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.NetworkSource;
import io.github.amb.models.dl4j.OutputLoss;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Gradient sums of a network's graph, which an engine computes slice by slice.
 *
 * <p>A partition passes in slices, whose values fit into the engine's memory, if no layer mixes
 * examples; otherwise at once. The loss is computed on the processor.
 */
public abstract class GraphSource extends NetworkSource {
  protected final NetworkGraph network;

  /** The layers' random draws. */
  protected final DropoutRandom random = new DropoutRandom();

  /** Partitions of a batch have two sizes, and each may end in a shorter slice. */
  private static final int MAX_PASSES = 6;

  /**
   * Parameters that a core keeps near. Each slice reads and writes the sum of gradients once, which
   * takes long for more of them, so that slices of sequences have more positions.
   */
  private static final int CACHED = 1 << 21;

  private final float[] features;
  private final OutputLoss loss;
  private float[] rows = {};
  private Streams streams;
  private UniformRandomProvider changes;
  private long partition;

  /** The most recently used ones, one per number of examples. */
  private final Map<Key, Pass> passes = new LinkedHashMap<>(16, 0.75f, true);

  private Key lastKey;
  private Pass lastPass;

  /** The network for a fixed number of examples at a time. */
  public interface Pass extends AutoCloseable {
    /** Prepares to run, after another pass of the network may have. */
    default void bind() {}

    /** Sets the values of one example, which {@link #forward} reads; they are not modified. */
    void put(int row, float[] example);

    /** Computes the results of all examples. */
    void forward();

    /** Reads the first {@code length} results of the forward pass, row-major. */
    void read(float[] target, int from, int length);

    /**
     * Adds the gradient to the sum.
     *
     * @param gradient with respect to the results, in its first {@code length} entries; not
     *     modified
     */
    void backward(float[] gradient, int length);

    @Override
    void close();
  }

  private record Key(int examples, boolean training) {}

  /**
   * @param network the graph of {@code architecture}
   * @param data examples of the shape that the network expects
   */
  protected GraphSource(Architecture architecture, NetworkGraph network, DataSet data) {
    super(architecture, data);
    this.network = network;
    features = new float[network.input().size()];
    loss = OutputLoss.of(architecture);
  }

  /** Copies the parameters, from index 0 on. */
  protected abstract void load(FloatBuffer parameters);

  /**
   * A new pass of {@code examples} examples at a time.
   *
   * @param training whether there is a backward pass
   */
  protected abstract Pass pass(int examples, boolean training);

  /** Frees the engine's memory, after the passes are closed. */
  protected abstract void freeMemory();

  /** The number of examples of a slice if they are no sequences. */
  protected abstract int slice(boolean training);

  /** Copies the sum of gradients, from index 0 on; zeros if there are none. */
  protected abstract void copySum(FloatBuffer target, boolean empty);

  @Override
  public final Layout layout() {
    return network.layout();
  }

  /** Begins a sum over partitions, each with random draws of its own. */
  protected final void beginDraws(long drawSeed) {
    streams = new Streams(drawSeed);
    partition = 0;
  }

  @Override
  protected final double add(int[] examples, int from, int to) {
    if (from == to) {
      return 0;
    }
    random.from(streams.stream("partition", 0, partition));
    changes = streams.stream("augmentation", 0, partition++);
    int slice = network.separable() ? perSlice(true) : to - from;
    double sum = 0;
    for (int start = from; start < to; start += slice) {
      sum += addSlice(examples, start, Math.min(to, start + slice));
    }
    return sum;
  }

  /** A pass that is ready to run. */
  protected final Pass known(int examples, boolean training) {
    if (lastKey != null && lastKey.examples == examples && lastKey.training == training) {
      return lastPass;
    }
    Key key = new Key(examples, training);
    lastKey = null; // The pass that is closed may be the last one used.
    Pass pass = passes.get(key);
    if (pass == null) {
      if (passes.size() == MAX_PASSES) {
        var oldest = passes.entrySet().iterator();
        oldest.next().getValue().close();
        oldest.remove();
      }
      pass = pass(examples, training);
      passes.put(key, pass);
    }
    pass.bind();
    lastKey = key;
    lastPass = pass;
    return pass;
  }

  /** Closes all passes. */
  protected final void closePasses() {
    passes.values().forEach(Pass::close);
    passes.clear();
  }

  @Override
  protected final void free() {
    closePasses();
    freeMemory();
  }

  private int perSlice(boolean training) {
    int positions = network.positions();
    int usual = slice(training);
    int times = layout().size() > CACHED ? 16 : 2;
    return positions == 1 ? usual : Math.max(1, times * usual / positions);
  }

  private double addSlice(int[] examples, int from, int to) {
    Pass pass = known(to - from, true);
    for (int i = from; i < to; i++) {
      data.train().drawFeatures(examples[i], changes, features);
      put(pass, i - from, features);
    }
    pass.forward();
    int length = read(pass, data.train(), to - from);
    double sum = loss.lossAndGradient(rows, data.train(), examples, from, to);
    pass.backward(rows, length);
    return sum;
  }

  /** Reads the rows of results of {@code count} examples; returns the number of entries. */
  private int read(Pass pass, Examples examples, int count) {
    int length = count * examples.positions() * loss.outputs();
    if (rows.length < length) {
      rows = new float[length];
    }
    pass.read(rows, 0, length);
    return length;
  }

  private void put(Pass pass, int row, float[] example) {
    if (example.length != features.length) {
      throw new IllegalArgumentException(
          "example: expected %d features, found %d".formatted(features.length, example.length));
    }
    pass.put(row, example);
  }

  @Override
  protected final void end(FloatBuffer target) {
    copySum(target, partition == 0);
  }

  @Override
  protected final Evaluation score(float[] source, int[] examples, int from, int to) {
    load(FloatBuffer.wrap(source));
    loss.beginScores();
    int slice = perSlice(false);
    for (int start = from; start < to; start += slice) {
      int end = Math.min(to, start + slice);
      Pass pass = known(end - start, false);
      for (int i = start; i < end; i++) {
        data.test().copyFeatures(examples[i], features);
        put(pass, i - start, features);
      }
      pass.forward();
      read(pass, data.test(), end - start);
      loss.score(rows, data.test(), examples, start, end);
    }
    return data.scores(loss.scores());
  }

  /**
   * Takes the parameters of {@link #outputs}, until this source computes anything else.
   *
   * @param source at least {@code layout().size()} parameters; copied
   */
  public final void use(float[] source) {
    load(FloatBuffer.wrap(source));
  }

  /**
   * The network's outputs for some examples, after {@link #use}. Only the thread that closes this
   * source may ask.
   *
   * @param examples the features of each; not modified
   * @return a row of a number per class for each position of each example, one after the other
   * @throws IllegalArgumentException if an example has another number of features
   */
  public final float[] outputs(float[]... examples) {
    int width = data.test().positions() * loss.outputs();
    float[] outputs = new float[examples.length * width];
    int slice = perSlice(false);
    for (int start = 0; start < examples.length; start += slice) {
      int count = Math.min(slice, examples.length - start);
      Pass pass = known(count, false);
      for (int i = 0; i < count; i++) {
        put(pass, i, ScaledExamples.like(data.test(), examples[start + i]));
      }
      pass.forward();
      pass.read(outputs, start * width, count * width);
    }
    return outputs;
  }

  /** Number of outputs of a position. */
  public final int outputs() {
    return loss.outputs();
  }

  /** The class that a row of {@link #predictions} stands for. */
  public final int decides(float[] rows, int start) {
    return loss.decides(rows, start, data.classes());
  }

  /** As {@link #outputs}, but probabilities of classes and labels, or numbers. */
  public final float[] predictions(float[]... examples) {
    float[] rows = outputs(examples);
    for (int start = 0; start < rows.length; start += loss.outputs()) {
      loss.predict(rows, start);
    }
    return rows;
  }
}
