package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.gradient.NativeSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.DataSet;
import java.nio.FloatBuffer;
import java.util.Map;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

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
public final class Dl4jGradientSource extends NativeSource {
  private static final int EVALUATION_CHUNK = 256;
  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder().policyLearning(LearningPolicy.FIRST_LOOP).build();

  private final DataSet data;
  private final TrainableNetwork network;
  private final Layout layout;
  private final float[] parameters;
  private final GradientSum sum;
  private final Batch batch;
  private final boolean sigmoid;
  private final OutputLoss scores;
  private final Architecture architecture;
  private Streams streams;
  private long partition;

  /**
   * @param architecture with one output per class
   * @param data examples of the shape that the network expects
   */
  public Dl4jGradientSource(Architecture architecture, DataSet data) {
    this.data = data;
    this.network = architecture.instantiate();
    this.architecture = architecture;
    this.layout = ParameterLayout.of(network);
    this.parameters = new float[layout.size()];
    this.sum = new GradientSum(network, layout);
    this.batch = new Batch(data, architecture.flat(), OutputLoss.of(architecture));
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
  public int trainingExamples() {
    return data.train().count();
  }

  @Override
  public int testExamples() {
    return data.test().count();
  }

  @Override
  public void initialize(long seed, float[] target) {
    InitialParameters.draw(architecture, seed, target);
  }

  @Override
  protected void start(FloatBuffer source, long drawSeed) {
    source.get(0, parameters);
    load();
    streams = new Streams(drawSeed);
    partition = 0;
    sum.begin();
  }

  private void load() {
    try (INDArray values = Nd4j.create(parameters, network.parameters().shape(), 'c')) {
      network.parameters().assign(values);
    }
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
    sum.add(to - from);
    return loss;
  }

  @Override
  protected void end(FloatBuffer gradient) {
    sum.finish(gradient);
  }

  @Override
  protected Evaluation score(float[] source, int[] examples, int from, int to) {
    System.arraycopy(source, 0, parameters, 0, parameters.length);
    load();
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
  public Map<String, Double> metrics(float[] source, Evaluation scores) {
    return data.metrics(scores);
  }

  @Override
  protected void free() {
    batch.close();
    sum.close();
    network.close();
  }
}
