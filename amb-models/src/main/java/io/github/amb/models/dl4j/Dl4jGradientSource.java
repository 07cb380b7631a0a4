package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.ImageShape;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Gradient sums of a DL4J network.
 *
 * <p>Native memory is kept between steps: parameters, gradient, one batch, and per thread the
 * workspaces of DL4J. Configurations come from {@link Dl4jSetup#builder()}; regularisation belongs
 * to the master. There is one set of parameters: {@link #initialise} and {@link #evaluate} are not
 * to be called between {@link #begin} and {@link #finish}.
 */
public final class Dl4jGradientSource implements GradientSource {
  private static final int EVALUATION_CHUNK = 256;

  private final DataSet data;
  private final TrainableNetwork network;
  private final Layout layout;
  private final FloatPointer parameters;
  private final GradientSum sum;
  private final Batch batch;
  private final Scorer scorer;
  private Streams streams;
  private long partition;

  /**
   * A network of layers one after the other.
   *
   * @param configuration its input is [n, features] or [n, channels, height, width] as its first
   *     layer wants; its last layer is an output layer with one output per class
   * @param data examples of the shape that the network expects
   */
  public Dl4jGradientSource(MultiLayerConfiguration configuration, DataSet data) {
    this(new SequentialNetwork(configuration), data, isFlat(configuration, data.shape()));
  }

  private Dl4jGradientSource(TrainableNetwork network, DataSet data, boolean flat) {
    this.data = data;
    this.network = network;
    this.layout = ParameterLayout.of(network);
    this.parameters = NativeArrays.pointer(network.parameters());
    this.sum = new GradientSum(network);
    this.batch = new Batch(data, flat);
    this.scorer = new Scorer(data.classes());
  }

  /** True if the first layer takes vectors: it would need a conversion from images. */
  private static boolean isFlat(MultiLayerConfiguration configuration, ImageShape shape) {
    var image = InputType.convolutional(shape.height(), shape.width(), shape.channels());
    return configuration.getConf(0).getLayer().getPreProcessorForInputType(image) != null;
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
  public void initialise(long seed, float[] target) {
    Nd4j.getRandom().setSeed(seed);
    for (Layer layer : network.layers()) {
      if (layer.numParams() > 0) {
        NeuralNetConfiguration configuration = layer.conf();
        configuration.getLayer().initializer().init(configuration, layer.params(), true);
      }
    }
    parameters.get(target, 0, layout.size());
  }

  @Override
  public void begin(float[] source, long drawSeed) {
    parameters.put(source, 0, layout.size());
    streams = new Streams(drawSeed);
    partition = 0;
    sum.begin();
  }

  @Override
  public double accumulate(int[] examples, int from, int to) {
    if (from == to) {
      return 0;
    }
    // For each partition, because ND4J's generator belongs to the calling thread.
    Nd4j.getRandom().setSeed(streams.seed("partition", 0, partition++));
    sum.beforePartition();
    Batch.Slice slice = batch.fill(data.train(), examples, from, to);
    double loss = network.computeGradient(slice.input(), slice.labels());
    sum.add(to - from);
    return loss;
  }

  @Override
  public void finish(float[] gradient) {
    sum.finish(gradient, layout.size());
  }

  @Override
  public Evaluation evaluate(float[] source, int[] examples, int from, int to) {
    parameters.put(source, 0, layout.size());
    scorer.begin();
    for (int start = from; start < to; start += EVALUATION_CHUNK) {
      int end = Math.min(to, start + EVALUATION_CHUNK);
      Batch.Slice slice = batch.fill(data.test(), examples, start, end);
      scorer.score(network, slice.input(), data.test(), examples, start);
    }
    return scorer.evaluation();
  }

  @Override
  public void close() {
    batch.close();
    sum.close();
    network.close();
  }
}
