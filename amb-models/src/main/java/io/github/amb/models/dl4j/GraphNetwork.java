package io.github.amb.models.dl4j;

import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A network whose layers form a graph, with one input and one output. */
final class GraphNetwork extends ModelNetwork {
  private final ComputationGraph network;

  GraphNetwork(ComputationGraphConfiguration configuration) {
    this(initialized(configuration));
  }

  private GraphNetwork(ComputationGraph network) {
    super(network, network.getLayers());
    this.network = network;
  }

  private static ComputationGraph initialized(ComputationGraphConfiguration configuration) {
    Dl4jSetup.ensure();
    ComputationGraph network = new ComputationGraph(configuration);
    network.init();
    network.initGradientsView();
    return network;
  }

  @Override
  public double computeGradient(INDArray input, INDArray labels) {
    network.setInput(0, input);
    network.setLabels(labels);
    network.computeGradientAndScore();
    return network.score();
  }

  @Override
  public INDArray output(INDArray input, MemoryWorkspace workspace) {
    return network.output(false, workspace, input)[0];
  }
}
