package io.github.amb.models.onednn;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.graph.GraphReader;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.models.graph.NetworkGraph;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Scratchpad;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Gradient sums of a network that DL4J describes, computed by oneDNN.
 *
 * <p>For each size of slice there is a {@link Plan}. The gradient of dense layers is put off for up
 * to {@link PendingRows#MAX} examples, so {@link #finish} may do a product of that many rows for
 * each of them, whatever the batch.
 */
public final class OneDnnGradientSource extends GraphSource {
  /** Larger slices are no faster, smaller ones go through a dense layer's matrix more often. */
  private static final int SLICE = 64;

  private static final int EVALUATION_SLICE = 128;

  private final PlanMemory arrays = new PlanMemory();
  private final Scratchpad scratchpad = new Scratchpad();
  private final Parameters parameters;
  private final GradientVector gradient;
  private final PlanBuilder.Memory memory;

  private OneDnnGradientSource(
      Architecture architecture, NetworkGraph network, DataSet data, Precision precision) {
    super(architecture, network, data);
    int size = network.layout().size();
    parameters = new Parameters(size, scratchpad);
    gradient = new GradientVector(size, precision, scratchpad);
    memory = new PlanBuilder.Memory(parameters, gradient, arrays, scratchpad, random);
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
    return ((Plan) known(examples, true)).convolutions();
  }

  @Override
  protected void start(FloatBuffer source, long drawSeed) {
    load(source);
    beginSum(null, drawSeed);
  }

  @Override
  protected void start(FloatBuffer source, FloatBuffer target, long drawSeed) {
    parameters.use(source);
    beginSum(target, drawSeed);
  }

  private void beginSum(FloatBuffer target, long drawSeed) {
    gradient.begin(target);
    beginDraws(drawSeed);
  }

  @Override
  protected void load(FloatBuffer source) {
    parameters.load(source);
  }

  @Override
  protected Pass pass(int examples, boolean training) {
    return new Plan(network, examples, training, memory);
  }

  @Override
  protected int slice(boolean training) {
    return training ? SLICE : EVALUATION_SLICE;
  }

  @Override
  protected void copySum(FloatBuffer target, boolean empty) {
    if (empty) {
      gradient.finishEmpty(target);
    } else {
      gradient.finish(target);
    }
  }

  @Override
  protected void freeMemory() {
    gradient.close();
    parameters.close();
    arrays.close();
    scratchpad.close();
  }
}
