package io.github.amb.models.network;

import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jSetup;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.graph.ScaleVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DepthwiseConvolution2D;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationReLU6;

/**
 * Builds networks that are graphs of layers, node by node.
 *
 * <p>Windows are padded equally on both sides with zeros, and sizes are rounded down. Weights are
 * drawn from N(0, 2 / fan-in) (He et al., 2015), those before the softmax from N(0, 2 / (fan-in +
 * fan-out)) (Glorot and Bengio, 2010). Biases are 0.
 */
final class GraphBuilder {
  private static final String INPUT = "input";

  private final ComputationGraphConfiguration.GraphBuilder graph =
      Dl4jSetup.builder().graphBuilder().addInputs(INPUT);
  private final Requirements requirements;

  /** A network of images. */
  GraphBuilder(Requirements requirements) {
    this(
        requirements,
        InputType.convolutional(
            requirements.input().height(),
            requirements.input().width(),
            requirements.input().channels()));
  }

  private GraphBuilder(Requirements requirements, InputType input) {
    this.requirements = requirements;
    graph.setInputTypes(input);
  }

  /** A network of vectors. */
  static GraphBuilder ofVectors(Requirements requirements) {
    return new GraphBuilder(requirements, InputType.feedForward(requirements.input().size()));
  }

  /** The network's input. */
  Node input() {
    return new Node(INPUT);
  }

  /**
   * A window that moves over an image. All sizes are in pixels.
   *
   * @param height height of the window
   * @param width width of the window
   * @param stride distance per move, in both directions
   * @param padTop rows of zeros above and below the image
   * @param padLeft columns of zeros on the left and right of the image
   */
  record Window(int height, int width, int stride, int padTop, int padLeft) {
    /** A square window. */
    static Window of(int side, int stride, int padding) {
      return new Window(side, side, stride, padding, padding);
    }

    /** A window with odd sides and stride 1, whose result has the image's size. */
    static Window same(int height, int width) {
      return new Window(height, width, 1, height / 2, width / 2);
    }

    private int[] sides() {
      return new int[] {height, width};
    }

    private int[] padding() {
      return new int[] {padTop, padLeft};
    }
  }

  /** The result of a layer, to which further layers can be added. */
  final class Node {
    private final String name;

    private Node(String name) {
      this.name = name;
    }

    /** Any layer that takes this result. */
    Node then(String layerName, Layer layer) {
      graph.addLayer(layerName, layer, name);
      return new Node(layerName);
    }

    /** Convolution with biases. */
    Node convolution(String layerName, Window window, int channels) {
      return convolution(layerName, window, channels, true);
    }

    /** Convolution, with biases only if the network has no normalization. */
    Node normalizedConvolution(String layerName, Window window, int channels) {
      return convolution(layerName, window, channels, requirements.norm() == Norm.NONE);
    }

    /** Convolution, with biases if {@code biased}. */
    Node convolution(String layerName, Window window, int channels, boolean biased) {
      return then(
          layerName,
          new ConvolutionLayer.Builder(window.sides())
              .stride(window.stride, window.stride)
              .padding(window.padding())
              .convolutionMode(ConvolutionMode.Truncate)
              .dataFormat(CNN2DFormat.NCHW)
              .nOut(channels)
              .hasBias(biased)
              .activation(Activation.IDENTITY)
              .build());
    }

    /**
     * Convolution of each channel by itself, with biases only if the network has no normalization.
     */
    Node depthwise(String layerName, Window window) {
      return then(
          layerName,
          new DepthwiseConvolution2D.Builder(window.height, window.width)
              .depthMultiplier(1)
              .stride(window.stride, window.stride)
              .padding(window.padding())
              .convolutionMode(ConvolutionMode.Truncate)
              .dataFormat(CNN2DFormat.NCHW)
              .hasBias(requirements.norm() == Norm.NONE)
              .activation(Activation.IDENTITY)
              .build());
    }

    /** Normalizes this result, unless the network has no normalization. */
    Node norm() {
      return requirements.norm() == Norm.NONE
          ? this
          : then(name + "-norm", requirements.norm().layer(name + "-norm"));
    }

    /** Normalizes this result, unless the network has no normalization, then ReLU. */
    Node normRelu() {
      return norm().relu();
    }

    /**
     * Normalizes a batch of inputs without scale and shift, if the network has batch normalization.
     */
    Node inputNorm() {
      return requirements.norm() == Norm.BATCH
          ? then(name + "-norm", new BatchNormalization.Builder(true).decay(0.9).eps(1e-5).build())
          : this;
    }

    /** ReLU. */
    Node relu() {
      return activation("relu", new ActivationReLU());
    }

    /** ReLU with a maximum of 6. */
    Node relu6() {
      return activation("relu6", new ActivationReLU6());
    }

    /** A function of each value. */
    Node activation(String suffix, IActivation activation) {
      return then(
          name + "-" + suffix, new ActivationLayer.Builder().activation(activation).build());
    }

    /** Maximum under a window. */
    Node maxPool(String layerName, Window window) {
      return pool(layerName, SubsamplingLayer.PoolingType.MAX, window);
    }

    /** Mean under a window, including the padding. */
    Node averagePool(String layerName, Window window) {
      // DL4J's own padding gives a wrong gradient with respect to the input of mean pooling.
      Node padded =
          then(
              layerName + "-padding",
              new ZeroPaddingLayer.Builder(
                      window.padTop, window.padTop, window.padLeft, window.padLeft)
                  .build());
      Window bare = new Window(window.height, window.width, window.stride, 0, 0);
      return padded.pool(layerName, SubsamplingLayer.PoolingType.AVG, bare);
    }

    private Node pool(String layerName, SubsamplingLayer.PoolingType type, Window window) {
      return then(
          layerName,
          new SubsamplingLayer.Builder(type)
              .kernelSize(window.sides())
              .stride(window.stride, window.stride)
              .padding(window.padding())
              .convolutionMode(ConvolutionMode.Truncate)
              .dataFormat(CNN2DFormat.NCHW)
              .build());
    }

    /** Mean of each channel over the image. */
    Node globalAverage() {
      return then("pool", new GlobalPoolingLayer.Builder(PoolingType.AVG).build());
    }

    /** Fully connected, with biases. */
    Node dense(String layerName, int units) {
      return then(
          layerName, new DenseLayer.Builder().nOut(units).activation(Activation.IDENTITY).build());
    }

    /**
     * Keeps each value with probability {@code keep} and divides it by that; sets it to 0
     * otherwise.
     */
    Node dropout(String layerName, double keep) {
      return then(layerName, new DropoutLayer.Builder(keep).build());
    }

    /** Adds another result of the same shape. */
    Node plus(String vertexName, Node other) {
      graph.addVertex(
          vertexName, new ElementWiseVertex(ElementWiseVertex.Op.Add), name, other.name);
      return new Node(vertexName);
    }

    /**
     * Every second pixel in both directions, with as many channels of zeros added after the
     * channels.
     */
    Node halvedWithZeroChannels(String prefix) {
      Node half = maxPool(prefix + "-half", Window.of(1, 2, 0));
      graph.addVertex(prefix + "-zeros", new ScaleVertex(0), half.name);
      return concatenation(prefix, half, new Node(prefix + "-zeros"));
    }

    /** Completes the graph with a fully connected output, softmax and cross-entropy. */
    Architecture softmax(String layerName) {
      return softmax(layerName, true);
    }

    /**
     * Completes the graph with a fully connected output without biases, softmax and cross-entropy.
     */
    Architecture unbiasedSoftmax(String layerName) {
      return softmax(layerName, false);
    }

    /** Completes the graph with a fully connected output and the loss that is required. */
    Architecture softmax(String layerName, boolean biased) {
      return output(
          layerName,
          new OutputLayer.Builder(requirements.loss().function())
              .nOut(requirements.outputs())
              .activation(requirements.loss().activation())
              .weightInit(WeightInit.XAVIER)
              .hasBias(biased)
              .build());
    }

    /** Completes the graph with an output layer. */
    Architecture output(String layerName, Layer layer) {
      then(layerName, layer);
      graph.setOutputs(layerName);
      return Architecture.of(graph.build(), requirements.input());
    }
  }

  /** Concatenates the channels of all nodes. */
  Node concatenation(String vertexName, Node... nodes) {
    String[] names = Stream.of(nodes).map(node -> node.name).toArray(String[]::new);
    graph.addVertex(vertexName, new MergeVertex(), names);
    return new Node(vertexName);
  }
}
