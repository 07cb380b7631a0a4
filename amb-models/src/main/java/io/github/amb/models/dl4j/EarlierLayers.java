package io.github.amb.models.dl4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.nd4j.linalg.activations.Activation;

/**
 * Converts configurations of an earlier version, which had its own layers, to DL4J's layers with
 * the same parameters and results. One of them becomes two of DL4J's.
 */
final class EarlierLayers {
  private static final String OURS = "io.github.amb.models.dl4j.";
  private static final String THEIRS = "org.deeplearning4j.nn.conf.layers.";
  private static final String POOLING_RELU = OURS + "PoolingRelu";
  private static final String CLASS = "@class";
  private static final String PRE_PROCESSORS = "inputPreProcessors";

  private static final Map<String, String> SUCCESSORS =
      Map.of(
          OURS + "AccumulatingDense",
          THEIRS + "DenseLayer",
          OURS + "AccumulatingSoftmax",
          THEIRS + "OutputLayer",
          OURS + "InputConvolution",
          THEIRS + "ConvolutionLayer",
          POOLING_RELU,
          THEIRS + "SubsamplingLayer");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private EarlierLayers() {}

  /**
   * Converts a configuration to DL4J's layers.
   *
   * @param configuration DL4J's JSON
   * @throws IllegalArgumentException if it is not JSON
   */
  static String replaced(String configuration) {
    if (SUCCESSORS.keySet().stream().noneMatch(configuration::contains)) {
      return configuration;
    }
    try {
      JsonNode network = JSON.readTree(configuration);
      if (network.path("confs") instanceof ArrayNode layers) {
        splitPooling((ObjectNode) network, layers);
      }
      String text = JSON.writeValueAsString(network);
      for (Map.Entry<String, String> successor : SUCCESSORS.entrySet()) {
        text = text.replace('"' + successor.getKey() + '"', '"' + successor.getValue() + '"');
      }
      return text;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** Adds a ReLU after each pooling layer that included one. */
  private static void splitPooling(ObjectNode network, ArrayNode layers)
      throws JsonProcessingException {
    ArrayNode split = JSON.createArrayNode();
    ObjectNode preProcessors = JSON.createObjectNode();
    for (int i = 0; i < layers.size(); i++) {
      JsonNode before = network.path(PRE_PROCESSORS).path(Integer.toString(i));
      if (!before.isMissingNode()) {
        preProcessors.set(Integer.toString(split.size()), before);
      }
      split.add(layers.get(i));
      JsonNode layer = layers.get(i).path("layer");
      if (layer.path(CLASS).asText().equals(POOLING_RELU)) {
        split.add(relu(layer.path("layerName").asText()));
      }
    }
    network.set("confs", split);
    network.set(PRE_PROCESSORS, preProcessors);
  }

  private static JsonNode relu(String of) throws JsonProcessingException {
    var layer = new ActivationLayer.Builder().name(of + "-relu").activation(Activation.RELU);
    var configuration = new NeuralNetConfiguration.Builder().layer(layer.build()).build();
    return JSON.readTree(configuration.toJson());
  }
}
