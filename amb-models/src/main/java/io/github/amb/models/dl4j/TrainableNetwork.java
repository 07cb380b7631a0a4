package io.github.amb.models.dl4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** A DL4J network of either kind, as a gradient source uses it. */
public abstract class TrainableNetwork implements AutoCloseable {
  private final Model model;
  private final List<Layer> layers;

  /**
   * @param model initialized, with its gradient vector
   * @param layers in the order of the flat parameter vector
   */
  private TrainableNetwork(Model model, Layer[] layers) {
    this.model = model;
    this.layers = List.of(layers);
    for (Layer layer : layers) {
      // Dropout in place would change the output that the layer before keeps for its backward pass.
      layer.allowInputModification(false);
    }
  }

  /** A network that is a sequence of layers. */
  static TrainableNetwork of(MultiLayerConfiguration configuration) {
    Dl4jSetup.ensure();
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    network.initGradientsView();
    return new TrainableNetwork(network, network.getLayers()) {
      @Override
      double computeGradient(INDArray input, INDArray labels) {
        network.setInput(input);
        network.setLabels(labels);
        network.computeGradientAndScore();
        return network.score();
      }

      @Override
      INDArray output(INDArray input, MemoryWorkspace workspace) {
        return network.output(input, false, workspace);
      }
    };
  }

  /** A network whose layers form a graph, with one input and one output. */
  static TrainableNetwork of(ComputationGraphConfiguration configuration) {
    Dl4jSetup.ensure();
    ComputationGraph network = new ComputationGraph(configuration);
    network.init();
    network.initGradientsView();
    return new TrainableNetwork(network, network.getLayers()) {
      @Override
      double computeGradient(INDArray input, INDArray labels) {
        network.setInput(0, input);
        network.setLabels(labels);
        network.computeGradientAndScore();
        return network.score();
      }

      @Override
      INDArray output(INDArray input, MemoryWorkspace workspace) {
        return network.output(false, workspace, input)[0];
      }
    };
  }

  /** Layers in the order of the flat parameter vector. */
  List<Layer> layers() {
    return layers;
  }

  /** The flat parameter vector; writing to it changes the network. */
  INDArray parameters() {
    return model.params();
  }

  /** Copies the flat parameter vector to the network. */
  void load(float[] parameters) {
    try (INDArray values = Nd4j.create(parameters, model.params().shape(), 'c')) {
      model.params().assign(values);
    }
  }

  /** Writes the network in the format of DL4J's {@code ModelSerializer}. */
  void write(Path file) throws IOException {
    ModelSerializer.writeModel(model, file.toFile(), false);
  }

  /** The flat gradient vector, overwritten by {@link #computeGradient}. */
  INDArray gradient() {
    return model.getGradientsViewArray();
  }

  /**
   * Performs one forward and backward pass; {@link #gradient()} is then the gradient sum.
   *
   * @param input features; the first dimension is examples
   * @param labels one-hot, [examples, classes], or targets, [examples, 1]
   * @return the sum of the examples' losses
   */
  abstract double computeGradient(INDArray input, INDArray labels);

  /**
   * Class probabilities, [examples, classes], or predicted numbers, [examples, 1].
   *
   * @param input features; the first dimension is examples
   * @param workspace open workspace that holds the result
   */
  abstract INDArray output(INDArray input, MemoryWorkspace workspace);

  @Override
  public void close() {
    model.close();
  }
}
