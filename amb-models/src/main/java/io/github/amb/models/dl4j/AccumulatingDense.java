package io.github.amb.models.dl4j;

import java.util.Collection;
import java.util.Set;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.LayerValidation;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.nn.params.DefaultParamInitializer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Configuration of a fully connected layer that adds its gradient to the running sum.
 *
 * <p>Parameters and results are those of DL4J's DenseLayer. In the backward pass it does not
 * recompute the forward pass, and as the first layer it computes no input gradient. Activations:
 * ReLU, sigmoid and identity.
 */
public class AccumulatingDense extends FeedForwardLayer {
  private static final long serialVersionUID = 1L;

  private static final Set<Class<?>> ACTIVATIONS =
      Set.of(ActivationReLU.class, ActivationSigmoid.class, ActivationIdentity.class);

  /** For deserialisation. */
  public AccumulatingDense() {}

  private AccumulatingDense(Builder builder) {
    super(builder);
    initializeConstraints(builder);
  }

  @Override
  public Layer instantiate(
      NeuralNetConfiguration conf,
      Collection<TrainingListener> listeners,
      int index,
      INDArray parameters,
      boolean initialize,
      DataType type) {
    LayerValidation.assertNInNOutSet("AccumulatingDense", getLayerName(), index, nIn, nOut);
    if (!ACTIVATIONS.contains(getActivationFn().getClass())) {
      throw new IllegalArgumentException(
          "layer %s: expected activation relu, sigmoid or identity, found %s"
              .formatted(getLayerName(), getActivationFn()));
    }
    var layer = new AccumulatingDenseLayer(conf, type);
    layer.setListeners(listeners);
    layer.setIndex(index);
    layer.setParamsViewArray(parameters);
    layer.setParamTable(initializer().init(conf, parameters, initialize));
    layer.setConf(conf);
    return layer;
  }

  @Override
  public ParamInitializer initializer() {
    return DefaultParamInitializer.getInstance();
  }

  @Override
  public LayerMemoryReport getMemoryReport(InputType input) {
    InputType output = getOutputType(-1, input);
    return new LayerMemoryReport.Builder(layerName, AccumulatingDense.class, input, output)
        .standardMemory(initializer().numParams(this), 0)
        .workingMemory(0, 0, 0, output.arrayElementsPerExample())
        .cacheMemory(0, 0)
        .build();
  }

  /** Builds the configuration. */
  public static class Builder extends FeedForwardLayer.Builder<Builder> {
    @Override
    @SuppressWarnings("unchecked") // DL4J lets the caller choose the subtype.
    public <E extends org.deeplearning4j.nn.conf.layers.Layer> E build() {
      return (E) new AccumulatingDense(this);
    }
  }
}
