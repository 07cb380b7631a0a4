package io.github.amb.models.dl4j;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.params.EmptyParamInitializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Parameters of a layer, which are neither weights nor biases: per channel a scale γ, initially 1,
 * and a shift β, initially 0.
 */
final class ScaleAndShift extends EmptyParamInitializer {
  static final ScaleAndShift INSTANCE = new ScaleAndShift();

  static final String GAMMA = "gamma";
  static final String BETA = "beta";

  private ScaleAndShift() {}

  @Override
  public long numParams(NeuralNetConfiguration conf) {
    return numParams(conf.getLayer());
  }

  @Override
  public long numParams(Layer layer) {
    return 2 * channels(layer);
  }

  private static long channels(Layer layer) {
    return ((FeedForwardLayer) layer).getNOut();
  }

  @Override
  public List<String> paramKeys(Layer layer) {
    return List.of(GAMMA, BETA);
  }

  @Override
  public Map<String, INDArray> init(
      NeuralNetConfiguration conf, INDArray view, boolean initialize) {
    Map<String, INDArray> parameters = split(conf, view);
    if (initialize) {
      parameters.get(GAMMA).assign(1);
      parameters.get(BETA).assign(0);
    }
    parameters.keySet().forEach(conf::addVariable);
    return parameters;
  }

  @Override
  public Map<String, INDArray> getGradientsFromFlattened(
      NeuralNetConfiguration conf, INDArray view) {
    return split(conf, view);
  }

  private static Map<String, INDArray> split(NeuralNetConfiguration conf, INDArray view) {
    long channels = channels(conf.getLayer());
    INDArray flat = view.reshape(view.length());
    Map<String, INDArray> parts = new LinkedHashMap<>();
    parts.put(GAMMA, flat.get(NDArrayIndex.interval(0, channels)));
    parts.put(BETA, flat.get(NDArrayIndex.interval(channels, 2 * channels)));
    return parts;
  }
}
