package io.github.amb.models.dl4j;

import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A network that is a sequence of layers. */
final class SequentialNetwork extends ModelNetwork {
  private final MultiLayerNetwork network;

  SequentialNetwork(MultiLayerConfiguration configuration) {
    this(initialized(configuration));
  }

  private SequentialNetwork(MultiLayerNetwork network) {
    super(network, network.getLayers());
    this.network = network;
  }

  private static MultiLayerNetwork initialized(MultiLayerConfiguration configuration) {
    Dl4jSetup.ensure();
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    network.initGradientsView();
    return network;
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
}
