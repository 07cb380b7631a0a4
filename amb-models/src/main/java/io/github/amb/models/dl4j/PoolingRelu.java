package io.github.amb.models.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Configuration of ReLU and maximum over 2x2 with stride 2 in one layer; odd heights and widths are
 * rounded up.
 *
 * <p>The two commute, so the result and the gradient are those of ReLU followed by DL4J's
 * SubsamplingLayer, with a quarter of the ReLU's work and without a second pass over the input.
 */
public class PoolingRelu extends SubsamplingLayer {
  private static final long serialVersionUID = 1L;

  /** For deserialisation. */
  public PoolingRelu() {}

  private PoolingRelu(SubsamplingLayer.Builder builder) {
    super(builder);
  }

  /**
   * A layer.
   *
   * @param name its name in the network
   */
  public static PoolingRelu of(String name) {
    return new PoolingRelu(
        new SubsamplingLayer.Builder(PoolingType.MAX)
            .name(name)
            .kernelSize(2, 2)
            .stride(2, 2)
            .dataFormat(CNN2DFormat.NCHW)
            .convolutionMode(ConvolutionMode.Same));
  }

  @Override
  public Layer instantiate(
      NeuralNetConfiguration conf,
      Collection<TrainingListener> listeners,
      int index,
      INDArray parameters,
      boolean initialize,
      DataType type) {
    var layer = new PoolingReluLayer(conf, type);
    layer.setListeners(listeners);
    layer.setIndex(index);
    layer.setParamsViewArray(parameters);
    layer.setParamTable(initializer().init(conf, parameters, initialize));
    layer.setConf(conf);
    return layer;
  }
}
