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
 * Makes configurations readable that name layers of ours which DL4J's own have replaced. They had
 * the same parameters and results; one was two of DL4J's.
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
   * A configuration in DL4J's layers.
   *
   * @param configuration as DL4J writes it
   * @throws IllegalArgumentException if it is no JSON
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

  /** Puts a ReLU behind each pooling that was one with it. */
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
