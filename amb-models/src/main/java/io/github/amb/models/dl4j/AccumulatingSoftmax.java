package io.github.amb.models.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.LayerValidation;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * Configuration of a fully connected output layer, softmax with cross-entropy, that adds its
 * gradient to the running sum.
 *
 * <p>Parameters and results are those of DL4J's OutputLayer with MCXENT and softmax.
 */
public class AccumulatingSoftmax extends OutputLayer {
  private static final long serialVersionUID = 1L;

  /** For deserialisation. */
  public AccumulatingSoftmax() {}

  private AccumulatingSoftmax(Builder builder) {
    super(builder);
  }

  @Override
  public Layer instantiate(
      NeuralNetConfiguration conf,
      Collection<TrainingListener> listeners,
      int index,
      INDArray parameters,
      boolean initialize,
      DataType type) {
    LayerValidation.assertNInNOutSet("AccumulatingSoftmax", getLayerName(), index, nIn, nOut);
    var layer = new AccumulatingSoftmaxLayer(conf, type);
    layer.setListeners(listeners);
    layer.setIndex(index);
    layer.setParamsViewArray(parameters);
    layer.setParamTable(initializer().init(conf, parameters, initialize));
    layer.setConf(conf);
    return layer;
  }

  /** Builds the configuration; loss and activation are fixed. */
  @SuppressWarnings("unchecked") // DL4J declares the result of build() as any subtype.
  public static class Builder extends OutputLayer.Builder {
    public Builder() {
      super(LossFunction.MCXENT);
      activation(Activation.SOFTMAX);
    }

    @Override
    public AccumulatingSoftmax build() {
      return new AccumulatingSoftmax(this);
    }
  }
}
