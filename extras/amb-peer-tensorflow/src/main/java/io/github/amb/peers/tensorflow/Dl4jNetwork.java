package io.github.amb.peers.tensorflow;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.op.nn.FusedBatchNorm;
import org.tensorflow.types.TFloat32;

/** A network that DL4J wrote as JSON, as operations of TensorFlow, channels last. */
final class Dl4jNetwork {
  private final Ops tf;
  private final JsonNode network;
  private final Weights weights;

  Dl4jNetwork(Ops tf, JsonNode network, Weights weights) {
    this.tf = tf;
    this.network = network;
    this.weights = weights;
  }

  /** The values before the softmax. */
  Operand<TFloat32> logits(Operand<TFloat32> input) {
    if (network.has("confs")) {
      Operand<TFloat32> x = input;
      for (JsonNode layer : network.path("confs")) {
        x = layer(layer.path("layer"), x);
      }
      return x;
    }
    return graph(input);
  }

  private Operand<TFloat32> graph(Operand<TFloat32> input) {
    Map<String, Operand<TFloat32>> values = new HashMap<>();
    values.put(network.path("networkInputs").path(0).asText(), input);
    Map<String, JsonNode> waiting = new LinkedHashMap<>();
    network.path("vertices").properties().forEach(e -> waiting.put(e.getKey(), e.getValue()));
    while (!waiting.isEmpty()) {
      for (String name : List.copyOf(waiting.keySet())) {
        List<Operand<TFloat32>> inputs = new ArrayList<>();
        network.path("vertexInputs").path(name).forEach(i -> inputs.add(values.get(i.asText())));
        if (!inputs.contains(null)) {
          values.put(name, vertex(waiting.remove(name), inputs));
        }
      }
    }
    return values.get(network.path("networkOutputs").path(0).asText());
  }

  private static String kind(JsonNode configuration) {
    return configuration.path("@class").asText().replaceFirst(".*\\.", "");
  }

  private Operand<TFloat32> vertex(JsonNode vertex, List<Operand<TFloat32>> inputs) {
    return switch (kind(vertex)) {
      case "LayerVertex" -> layer(vertex.path("layerConf").path("layer"), inputs.get(0));
      case "ElementWiseVertex" -> tf.math.add(inputs.get(0), inputs.get(1));
      default -> throw new IllegalArgumentException("no equivalent of " + kind(vertex));
    };
  }

  private Operand<TFloat32> layer(JsonNode layer, Operand<TFloat32> x) {
    return switch (kind(layer)) {
      case "ConvolutionLayer" -> activation(layer, convolution(layer, x));
      case "SubsamplingLayer" -> pooling(layer, x);
      case "BatchNormalization" -> normalisation(layer, x);
      case "ActivationLayer" -> activation(layer, x);
      case "DropoutLayer" -> dropout(layer, x);
      case "GlobalPoolingLayer" -> tf.math.mean(x, tf.constant(new int[] {1, 2}));
      case "DenseLayer" -> activation(layer, dense(layer, x));
      case "OutputLayer" -> dense(layer, x);
      default -> throw new IllegalArgumentException("no equivalent of " + kind(layer));
    };
  }

  private Operand<TFloat32> weight(JsonNode layer, String key) {
    return weights.of(layer.path("layerName").asText(), key);
  }

  private Operand<TFloat32> activation(JsonNode layer, Operand<TFloat32> x) {
    return switch (kind(layer.path("activationFn"))) {
      case "ActivationIdentity" -> x;
      case "ActivationReLU" -> tf.nn.relu(x);
      case "ActivationSigmoid" -> tf.math.sigmoid(x);
      default ->
          throw new IllegalArgumentException("no equivalent of " + layer.path("activationFn"));
    };
  }

  private Operand<TFloat32> biased(JsonNode layer, Operand<TFloat32> x) {
    Operand<TFloat32> bias = weight(layer, "b");
    return bias == null ? x : tf.nn.biasAdd(x, bias);
  }

  private Operand<TFloat32> dense(JsonNode layer, Operand<TFloat32> x) {
    Operand<TFloat32> w = weight(layer, "W");
    int inputs = (int) w.shape().get(0);
    Operand<TFloat32> rows = tf.reshape(x, tf.constant(new int[] {-1, inputs}));
    return biased(layer, tf.linalg.matMul(rows, w));
  }

  /** TensorFlow pads stride 2 on one side only, which costs the same. */
  private static String padding(JsonNode layer) {
    boolean padded = layer.path("padding").path(0).asInt() > 0;
    return padded || layer.path("convolutionMode").asText().equals("Same") ? "SAME" : "VALID";
  }

  private Operand<TFloat32> convolution(JsonNode layer, Operand<TFloat32> x) {
    JsonNode stride = layer.path("stride");
    List<Long> strides = List.of(1L, stride.path(0).asLong(), stride.path(1).asLong(), 1L);
    return biased(layer, tf.nn.conv2d(x, weight(layer, "W"), strides, padding(layer)));
  }

  private Operand<TFloat32> pooling(JsonNode layer, Operand<TFloat32> x) {
    JsonNode kernel = layer.path("kernelSize");
    JsonNode stride = layer.path("stride");
    return tf.nn.maxPool(
        x,
        tf.constant(new int[] {1, kernel.path(0).asInt(), kernel.path(1).asInt(), 1}),
        tf.constant(new int[] {1, stride.path(0).asInt(), stride.path(1).asInt(), 1}),
        padding(layer));
  }

  private Operand<TFloat32> normalisation(JsonNode layer, Operand<TFloat32> x) {
    Operand<TFloat32> none = tf.constant(new float[0]);
    boolean vectors = x.shape().numDimensions() == 2;
    int channels = (int) weight(layer, "gamma").shape().get(0);
    Operand<TFloat32> planes =
        vectors ? tf.reshape(x, tf.constant(new int[] {-1, 1, 1, channels})) : x;
    var normal =
        tf.nn.fusedBatchNorm(
            planes,
            weight(layer, "gamma"),
            weight(layer, "beta"),
            none,
            none,
            FusedBatchNorm.epsilon((float) layer.path("eps").asDouble()),
            FusedBatchNorm.isTraining(true));
    return vectors ? tf.reshape(normal.y(), tf.constant(new int[] {-1, channels})) : normal.y();
  }

  private Operand<TFloat32> dropout(JsonNode layer, Operand<TFloat32> x) {
    float keep = (float) layer.path("idropout").path("p").asDouble(1);
    var random = tf.random.randomUniform(tf.shape(x), TFloat32.class);
    var mask = tf.math.floor(tf.math.add(random, tf.constant(keep)));
    return tf.math.div(tf.math.mul(x, mask), tf.constant(keep));
  }
}
