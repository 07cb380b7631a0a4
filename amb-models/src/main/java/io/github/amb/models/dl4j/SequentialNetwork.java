package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A network of layers one after the other. */
final class SequentialNetwork implements TrainableNetwork {
  private final MultiLayerNetwork network;

  SequentialNetwork(MultiLayerConfiguration configuration) {
    Dl4jSetup.ensure();
    network = new MultiLayerNetwork(configuration);
    network.init();
    network.initGradientsView();
    for (Layer layer : network.getLayers()) {
      // Dropout in place would change the output that the layer before keeps for its backward pass.
      layer.allowInputModification(false);
    }
  }

  @Override
  public List<Layer> layers() {
    return List.of(network.getLayers());
  }

  @Override
  public INDArray parameters() {
    return network.params();
  }

  @Override
  public INDArray gradient() {
    return network.getGradientsViewArray();
  }

  @Override
  public double computeGradient(INDArray input, INDArray labels) {
    network.setInput(input);
    network.setLabels(labels);
    network.computeGradientAndScore();
    return network.score();
  }

  @Override
  public INDArray output(INDArray input, MemoryWorkspace workspace) {
    return network.output(input, false, workspace);
  }

  @Override
  public void close() {
    network.close();
  }
}
