package io.github.amb.models.dl4j;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.CacheMode;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.api.buffer.DataType;

/**
 * Configures a sequence of layers as DL4J's own builder does with the settings of {@link
 * Dl4jSetup}. DL4J's builder loads ND4J's native libraries, which takes longer than everything
 * else.
 */
public final class SequenceConfiguration {
  private SequenceConfiguration() {}

  /**
   * A network's configuration.
   *
   * @param layers from input to output, with names; modified: their numbers of inputs are set
   * @param input type and shape of one example
   */
  public static MultiLayerConfiguration of(List<Layer> layers, InputType input) {
    List<NeuralNetConfiguration> configurations = new ArrayList<>();
    Map<Integer, InputPreProcessor> preProcessors = new HashMap<>();
    InputType type = input;
    for (Layer layer : layers) {
      NeuralNetConfiguration configuration = Dl4jSetup.builder().layer(layer).build();
      int index = configurations.size();
      InputPreProcessor before = configuration.getLayer().getPreProcessorForInputType(type);
      if (before != null) {
        preProcessors.put(index, before);
        type = before.getOutputType(type);
      }
      configuration.getLayer().setNIn(type, true);
      type = configuration.getLayer().getOutputType(index, type);
      configurations.add(configuration);
    }
    return network(configurations, preProcessors);
  }

  private static MultiLayerConfiguration network(
      List<NeuralNetConfiguration> layers, Map<Integer, InputPreProcessor> preProcessors) {
    MultiLayerConfiguration network = new MultiLayerConfiguration();
    network.setConfs(layers);
    network.setInputPreProcessors(preProcessors);
    network.setBackpropType(BackpropType.Standard);
    network.setTrainingWorkspaceMode(WorkspaceMode.ENABLED);
    network.setInferenceWorkspaceMode(WorkspaceMode.ENABLED);
    network.setCacheMode(CacheMode.DEVICE);
    network.setDataType(DataType.FLOAT);
    return network;
  }
}
