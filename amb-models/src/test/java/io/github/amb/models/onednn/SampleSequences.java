package io.github.amb.models.onednn;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jSetup;
import io.github.amb.models.dl4j.Gelu;
import io.github.amb.models.dl4j.SelfAttention;
import io.github.amb.models.dl4j.SequenceDense;
import io.github.amb.models.dl4j.SequenceEmbedding;
import io.github.amb.models.dl4j.SequenceMean;
import io.github.amb.models.dl4j.SequenceNormalization;
import io.github.amb.models.dl4j.SequencePatches;
import io.github.amb.models.dl4j.TiedOutput;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.junit.jupiter.params.provider.Arguments;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small networks of texts, and tokens for them. */
public final class SampleSequences {
  public static final int VOCABULARY = 7;
  static final int WINDOW = 5;
  private static final int CONTEXT = 6;
  private static final int WIDTH = 12;
  private static final int HEADS = 3;

  /** Weights large enough that attention differs between positions. */
  private static final double DEVIATION = 0.4;

  private SampleSequences() {}

  /** One network for each thing that an engine has to get right, by name. */
  public static Stream<Arguments> all() {
    return Stream.of(
        Arguments.of("causal, biases, erf, tied", block(true, true, false, 1)),
        Arguments.of("not causal, no biases, tanh", block(false, false, true, 1)));
  }

  /** Dropout of attention, of a residual branch and of the embedding. */
  public static Architecture dropout() {
    return block(true, false, false, 0.7);
  }

  /** A block of a transformer; the output has weights of its own where there are no biases. */
  private static Architecture block(boolean causal, boolean biased, boolean tanh, double keep) {
    var graph = Dl4jSetup.builder().graphBuilder().addInputs("in");
    add(graph, "embedding", new SequenceEmbedding(VOCABULARY, WIDTH, CONTEXT, DEVIATION), "in");
    add(graph, "drop1", new DropoutLayer.Builder(keep).build(), "embedding");
    add(graph, "norm1", new SequenceNormalization(biased), "drop1");
    add(graph, "qkv", new SequenceDense(3 * WIDTH, biased, DEVIATION), "norm1");
    add(graph, "attention", new SelfAttention(HEADS, causal, keep), "qkv");
    add(graph, "projection", new SequenceDense(WIDTH, biased, DEVIATION), "attention");
    add(graph, "drop2", new DropoutLayer.Builder(keep).build(), "projection");
    graph.addVertex("sum1", new ElementWiseVertex(ElementWiseVertex.Op.Add), "drop1", "drop2");
    add(graph, "norm2", new SequenceNormalization(biased), "sum1");
    add(graph, "hidden", new SequenceDense(2 * WIDTH, biased, DEVIATION), "norm2");
    add(graph, "gelu", new ActivationLayer.Builder().activation(new Gelu(tanh)).build(), "hidden");
    add(graph, "back", new SequenceDense(WIDTH, biased, DEVIATION), "gelu");
    graph.addVertex("sum2", new ElementWiseVertex(ElementWiseVertex.Op.Add), "sum1", "back");
    add(graph, "norm3", new SequenceNormalization(biased), "sum2");
    add(graph, "out", biased ? new TiedOutput("embedding", VOCABULARY) : output(), "norm3");
    ComputationGraphConfiguration made =
        graph.setOutputs("out").setInputTypes(InputType.feedForward(WINDOW)).build();
    return Architecture.of(made, shape());
  }

  /** An image of 3x9x7 as a sequence, attention, and the mean over the positions. */
  public static Architecture patches() {
    var graph = Dl4jSetup.builder().graphBuilder().addInputs("in");
    Layer patches = SampleNetworks.convolution("patches", 6, ConvolutionMode.Truncate, 3, 3);
    add(graph, "patches", patches, "in");
    add(graph, "positions", new SequencePatches(DEVIATION), "patches");
    add(graph, "norm1", new SequenceNormalization(true), "positions");
    add(graph, "qkv", new SequenceDense(18, true, DEVIATION), "norm1");
    add(graph, "attention", new SelfAttention(2, false, 1), "qkv");
    graph.addVertex(
        "sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "positions", "attention");
    add(graph, "norm2", new SequenceNormalization(true), "sum");
    add(graph, "mean", new SequenceMean(), "norm2");
    Layer output =
        new OutputLayer.Builder(LossFunction.MCXENT)
            .nOut(SampleNetworks.CLASSES)
            .activation(Activation.SOFTMAX)
            .build();
    add(graph, "out", output, "mean");
    ImageShape image = SampleNetworks.SHAPE;
    ComputationGraphConfiguration made =
        graph
            .setOutputs("out")
            .setInputTypes(InputType.convolutional(image.height(), image.width(), image.channels()))
            .build();
    return Architecture.of(made, image);
  }

  private static void add(
      ComputationGraphConfiguration.GraphBuilder graph, String name, Layer layer, String input) {
    graph.addLayer(name, layer, input);
  }

  private static Layer output() {
    return new RnnOutputLayer.Builder(LossFunction.MCXENT)
        .nOut(VOCABULARY)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static ImageShape shape() {
    return new ImageShape(1, 1, WINDOW);
  }

  /** Random tokens, each with a random label; the same for train and test. */
  public static DataSet data(int examples, long seed) {
    return data(examples, WINDOW, VOCABULARY, seed);
  }

  /** Random tokens in windows, each with a random label; the same for train and test. */
  public static DataSet data(int examples, int window, int vocabulary, long seed) {
    Random random = new Random(seed);
    int[] tokens = random.ints(examples * window, 0, vocabulary).toArray();
    int[] labels = random.ints(examples * window, 0, vocabulary).toArray();
    var all = new Windows(window, tokens, labels);
    return new DataSet("text", new ImageShape(1, 1, window), vocabulary, all, all);
  }

  private record Windows(int positions, int[] tokens, int[] labels) implements Examples {
    @Override
    public int count() {
      return tokens.length / positions;
    }

    @Override
    public int label(int example) {
      return labels[example * positions];
    }

    @Override
    public void copyLabels(int example, int[] target) {
      System.arraycopy(labels, example * positions, target, 0, positions);
    }

    @Override
    public void copyFeatures(int example, float[] target) {
      for (int i = 0; i < positions; i++) {
        target[i] = tokens[example * positions + i];
      }
    }
  }
}
