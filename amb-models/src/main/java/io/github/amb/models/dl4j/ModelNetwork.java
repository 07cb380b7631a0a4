package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The common part of DL4J's two kinds of network. */
abstract class ModelNetwork implements TrainableNetwork {
  private final Model model;
  private final List<Layer> layers;

  /**
   * @param model initialized, with its gradient vector
   * @param layers in the order of the flat parameter vector
   */
  ModelNetwork(Model model, Layer[] layers) {
    this.model = model;
    this.layers = List.of(layers);
    for (Layer layer : layers) {
      // Dropout in place would change the output that the layer before keeps for its backward pass.
      layer.allowInputModification(false);
    }
  }

  @Override
  public final List<Layer> layers() {
    return layers;
  }

  @Override
  public final INDArray parameters() {
    return model.params();
  }

  @Override
  public final INDArray gradient() {
    return model.getGradientsViewArray();
  }

  @Override
  public final void close() {
    model.close();
  }
}
