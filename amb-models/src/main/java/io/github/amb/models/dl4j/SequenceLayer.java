package io.github.amb.models.dl4j;

import io.github.amb.core.option.UsageException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.nn.params.DefaultParamInitializer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Configuration of a layer of sequences, [positions, features] per example, that DL4J does not
 * have. It is part of DL4J's configurations and their JSON, but DL4J does not compute it.
 */
public abstract class SequenceLayer extends FeedForwardLayer {
  SequenceLayer() {
    setActivationFn(new ActivationIdentity());
  }

  /**
   * A parameter array.
   *
   * @param key its name in the layer
   * @param mean of its entries at first
   * @param deviation of its entries at first, which are normal; 0 for the mean alone
   * @param shape its dimensions
   */
  public record Parameter(String key, double mean, double deviation, long... shape) {
    /** A vector with one initial value. */
    Parameter(String key, double mean, long length) {
      this(key, mean, 0, length);
    }

    /** Number of its entries. */
    public long length() {
      return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }
  }

  /** Its parameter arrays, in the order of the flat vector. */
  public abstract List<Parameter> parameters();

  /** The type of sequences that it takes; fails for another. */
  final InputType.InputTypeRecurrent sequence(InputType input) {
    if (input instanceof InputType.InputTypeRecurrent sequence) {
      return sequence;
    }
    throw new IllegalArgumentException(
        "layer %s: expected sequences, found %s".formatted(layerName, input));
  }

  @Override
  public void setNIn(InputType input, boolean override) {
    if (nIn <= 0 || override) {
      nIn = sequence(input).getSize();
    }
    nOut = nOut <= 0 ? nIn : nOut;
  }

  @Override
  public InputType getOutputType(int index, InputType input) {
    return InputType.recurrent(nOut, sequence(input).getTimeSeriesLength());
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
    throw only(layerName, getClass());
  }

  /** The error of a layer that DL4J is to compute and does not have. */
  static UsageException only(String layer, Class<?> type) {
    return new UsageException(
        "layer %s: expected a layer that DL4J computes, found %s, which DL4J does not compute; choose --device cpu or gpu:opencl, or another --network",
        layer, type.getSimpleName());
  }

  @Override
  public ParamInitializer initializer() {
    return new DefaultParamInitializer() {
      @Override
      public long numParams(NeuralNetConfiguration conf) {
        return numParams(conf.getLayer());
      }

      @Override
      public long numParams(org.deeplearning4j.nn.conf.layers.Layer layer) {
        return parameters().stream().mapToLong(Parameter::length).sum();
      }
    };
  }

  @Override
  public LayerMemoryReport getMemoryReport(InputType input) {
    return new LayerMemoryReport.Builder(layerName, getClass(), input, getOutputType(0, input))
        .standardMemory(initializer().numParams(this), 0)
        .workingMemory(0, 0, 0, 0)
        .cacheMemory(0, 0)
        .build();
  }
}
