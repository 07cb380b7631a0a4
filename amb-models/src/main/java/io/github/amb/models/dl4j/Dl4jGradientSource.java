package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.DataSet;
import java.nio.FloatBuffer;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Gradient sums of a DL4J network on ND4J's backend of this process. Arrays are written and read
 * through ND4J, wherever their memory is.
 *
 * <p>Memory kept between steps: parameters, gradient, one batch, and DL4J's workspaces per thread.
 * The start and the end of a sum copy a vector of the size of the parameters. Configurations come
 * from {@link Dl4jSetup#builder()}; regularization is done by the master. There is one set of
 * parameters: do not call {@link #initialize} or {@link #evaluate} between {@link #begin} and
 * {@link #finish}.
 */
public final class Dl4jGradientSource extends NetworkSource {
  private static final int EVALUATION_CHUNK = 256;
  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder().policyLearning(LearningPolicy.FIRST_LOOP).build();

  private final TrainableNetwork network;
  private final Layout layout;
  private final float[] parameters;

  /** Of the last partition; the network overwrites it. */
  private final INDArray gradient;

  /** The updates of running statistics in it. */
  private final List<INDArray> statistics;

  private final INDArray sum;
  private final Batch batch;
  private final boolean sigmoid;
  private final OutputLoss scores;
  private Streams streams;
  private long partition;

  /**
   * @param architecture with one output per class
   * @param data examples of the shape that the network expects
   */
  public Dl4jGradientSource(Architecture architecture, DataSet data) {
    super(architecture, data);
    network = architecture.instantiate();
    layout = ParameterLayout.of(network);
    parameters = new float[layout.size()];
    gradient = network.gradient().reshape(layout.size());
    sum = Nd4j.createUninitialized(DataType.FLOAT, layout.size());
    statistics =
        layout.blocks().stream()
            .filter(block -> block.kind() == Block.Kind.RUNNING_STATISTIC)
            .map(block -> NDArrayIndex.interval(block.offset(), block.offset() + block.length()))
            .map(gradient::get)
            .toList();
    batch = new Batch(data, architecture.flat(), OutputLoss.of(architecture));
    Loss loss = architecture.loss();
    int outputs = architecture.outputUnits();
    sigmoid = loss == Loss.XENT;
    scores =
        loss == Loss.MCXENT
            ? SoftmaxLoss.ofProbabilities(outputs)
            : new ElementwiseLoss(loss, outputs, false);
    for (int label = 0; label < data.classes(); label++) {
      if (data.train().weight(label) != 1) {
        throw new UsageException(
            "--class-weights: expected a network that oneDNN computes, found one that DL4J does; leave them out");
      }
    }
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  protected void start(FloatBuffer source, long drawSeed) {
    source.get(0, parameters);
    network.load(parameters);
    streams = new Streams(drawSeed);
    partition = 0;
  }

  @Override
  protected double add(int[] examples, int from, int to) {
    if (from == to) {
      return 0;
    }
    // For each partition, as ND4J's generator belongs to the calling thread.
    Nd4j.getRandom().setSeed(streams.seed("partition", 0, partition));
    var changes = streams.stream("augmentation", 0, partition++);
    Batch.Slice slice = batch.fill(data.train(), changes, examples, from, to);
    double loss = network.computeGradient(slice.input(), slice.labels());
    statistics.forEach(update -> update.muli(to - from));
    if (partition > 1) {
      sum.addi(gradient);
    } else {
      sum.assign(gradient);
    }
    return loss;
  }

  @Override
  protected void end(FloatBuffer target) {
    if (partition == 0) {
      sum.assign(0);
    }
    target.put(0, sum.data().asFloat());
  }

  @Override
  protected Evaluation score(float[] source, int[] examples, int from, int to) {
    System.arraycopy(source, 0, parameters, 0, parameters.length);
    network.load(parameters);
    scores.beginScores();
    for (int start = from; start < to; start += EVALUATION_CHUNK) {
      int end = Math.min(to, start + EVALUATION_CHUNK);
      Batch.Slice slice = batch.fill(data.test(), null, examples, start, end);
      scores.score(outputs(slice.input()), data.test(), examples, start, end);
    }
    return data.scores(scores.scores());
  }

  /** The network's outputs, as arguments of the function if that is a sigmoid. */
  private float[] outputs(INDArray input) {
    float[] outputs;
    try (MemoryWorkspace workspace =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace(WORKSPACE, "AMB_SCORER")) {
      outputs = network.output(input, workspace).dup('c').data().asFloat();
    }
    for (int i = 0; sigmoid && i < outputs.length; i++) {
      outputs[i] = (float) Math.log(outputs[i] / (1.0 - outputs[i]));
    }
    return outputs;
  }

  @Override
  protected void free() {
    batch.close();
    sum.close();
    network.close();
  }
}
