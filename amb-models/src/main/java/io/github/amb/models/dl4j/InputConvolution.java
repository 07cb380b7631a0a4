package io.github.amb.models.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.LayerValidation;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Configuration of a convolution as the first layer of a network, on images of few channels.
 *
 * <p>Parameters and results are those of DL4J's ConvolutionLayer with bias, stride 1, mode Same and
 * no activation function. As the first layer it needs no input gradient, which oneDNN computes in
 * any case and which for one channel takes longer than all else; and it adds its gradient to the
 * running sum.
 */
public class InputConvolution extends ConvolutionLayer {
  private static final long serialVersionUID = 1L;

  /** For deserialisation. */
  public InputConvolution() {}

  private InputConvolution(ConvolutionLayer.Builder builder) {
    super(builder);
  }

  /**
   * A layer with square kernels.
   *
   * @param name its name in the network
   * @param kernel height and width of a kernel
   * @param channels number of kernels
   */
  public static InputConvolution of(String name, int kernel, int channels) {
    return new InputConvolution(
        new ConvolutionLayer.Builder(kernel, kernel)
            .name(name)
            .nOut(channels)
            .dataFormat(CNN2DFormat.NCHW)
            .convolutionMode(ConvolutionMode.Same)
            .activation(Activation.IDENTITY));
  }

  @Override
  public Layer instantiate(
      NeuralNetConfiguration conf,
      Collection<TrainingListener> listeners,
      int index,
      INDArray parameters,
      boolean initialize,
      DataType type) {
    LayerValidation.assertNInNOutSet("InputConvolution", getLayerName(), index, nIn, nOut);
    if (index != 0) {
      throw new IllegalArgumentException(
          "layer %s: expected to be the first layer, found at position %d"
              .formatted(getLayerName(), index));
    }
    var layer = new InputConvolutionLayer(conf, type);
    layer.setListeners(listeners);
    layer.setIndex(index);
    layer.setParamsViewArray(parameters);
    layer.setParamTable(initializer().init(conf, parameters, initialize));
    layer.setConf(conf);
    return layer;
  }
}
