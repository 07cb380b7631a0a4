package io.github.amb.models.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Configuration of group normalization (Wu and He: "Group Normalization", 2018), for inputs [n,
 * channels, height, width] or [n, features].
 *
 * <p>An image's channels are normalized in {@value #MAX_GROUPS} groups, or in fewer of equal size
 * with at least {@value #MIN_CHANNELS} channels each. A vector's features are one group, which is
 * layer normalization. Results are multiplied by γ and shifted by β of their channel. Examples are
 * independent, so a gradient sum does not depend on the partitions of a batch.
 */
public class GroupNormalization extends FeedForwardLayer {
  /** Added to variances. */
  public static final double EPSILON = 1e-5;

  static final int MAX_GROUPS = 32;
  static final int MIN_CHANNELS = 4;

  /** For deserialization. */
  public GroupNormalization() {}

  private GroupNormalization(Builder builder) {
    super(builder);
  }

  @Override
  public void setNIn(InputType input, boolean override) {
    if (nIn <= 0 || override) {
      nIn =
          input instanceof InputType.InputTypeConvolutional images
              ? images.getChannels()
              : input.arrayElementsPerExample();
    }
    nOut = nIn;
  }

  @Override
  public InputType getOutputType(int index, InputType input) {
    return input;
  }

  @Override
  public InputPreProcessor getPreProcessorForInputType(InputType input) {
    return null;
  }

  @Override
  public Layer instantiate(
      NeuralNetConfiguration conf,
      Collection<TrainingListener> listeners,
      int index,
      INDArray parameters,
      boolean initialize,
      DataType type) {
    var layer = new GroupNormalizationLayer(conf, type);
    layer.setListeners(listeners);
    layer.setIndex(index);
    layer.setParamsViewArray(parameters);
    layer.setParamTable(initializer().init(conf, parameters, initialize));
    layer.setConf(conf);
    return layer;
  }

  @Override
  public ParamInitializer initializer() {
    return ScaleAndShift.INSTANCE;
  }

  @Override
  public LayerMemoryReport getMemoryReport(InputType input) {
    return new LayerMemoryReport.Builder(layerName, GroupNormalization.class, input, input)
        .standardMemory(initializer().numParams(this), 0)
        .workingMemory(0, 0, 0, input.arrayElementsPerExample())
        .cacheMemory(0, 0)
        .build();
  }

  /**
   * Number of groups of an image's channels: the largest divisor of {@code channels} that leaves
   * each group enough channels.
   */
  public static int groups(int channels) {
    int groups = Math.max(1, Math.min(MAX_GROUPS, channels / MIN_CHANNELS));
    while (channels % groups != 0) {
      groups--;
    }
    return groups;
  }

  /** Builds the configuration. */
  public static class Builder extends FeedForwardLayer.Builder<Builder> {
    @Override
    @SuppressWarnings({
      "unchecked",
      "TypeParameterUnusedInFormals"
    }) // DL4J lets the caller choose the subtype.
    public <E extends org.deeplearning4j.nn.conf.layers.Layer> E build() {
      return (E) new GroupNormalization(this);
    }
  }
}
