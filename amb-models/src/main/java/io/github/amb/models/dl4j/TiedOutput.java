package io.github.amb.models.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.params.EmptyParamInitializer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * Configuration of an output per position, softmax and cross-entropy, whose weights are those of an
 * embedding of tokens (Press and Wolf: "Using the Output Embedding to Improve Language Models",
 * 2017). It has no parameters of its own; DL4J does not compute it.
 */
public final class TiedOutput extends RnnOutputLayer {
  @JsonProperty private String embedding;

  /** For deserialization. */
  TiedOutput() {}

  /**
   * @param embedding name of the embedding's layer
   * @param vocabulary number of tokens
   */
  public TiedOutput(String embedding, int vocabulary) {
    this.embedding = embedding;
    setNOut(vocabulary);
    setHasBias(false);
    setActivationFn(new ActivationSoftmax());
    setLossFn(new LossMCXENT());
  }

  /** Name of the embedding's layer. */
  public String embedding() {
    return embedding;
  }

  @Override
  public ParamInitializer initializer() {
    return EmptyParamInitializer.getInstance();
  }

  @Override
  public Layer instantiate(
      NeuralNetConfiguration conf,
      Collection<TrainingListener> listeners,
      int index,
      INDArray parameters,
      boolean initialize,
      DataType type) {
    throw SequenceLayer.only(layerName, getClass());
  }
}
