package io.github.amb.models.onednn;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jSetup;
import io.github.amb.models.dl4j.GroupNormalization;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
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
import org.junit.jupiter.params.provider.Arguments;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small networks of DL4J's own layers, on images of odd sizes, and data for them. */
public final class SampleNetworks {
  static final ImageShape SHAPE = new ImageShape(3, 9, 7);
  static final int CLASSES = 4;

  private static final InputType IMAGES =
      InputType.convolutional(SHAPE.height(), SHAPE.width(), SHAPE.channels());

  private SampleNetworks() {}

  /** One network for each thing that an engine has to get right, by name. */
  public static Stream<Arguments> all() {
    var same = ConvolutionMode.Same;
    var truncate = ConvolutionMode.Truncate;
    return Stream.of(
        Arguments.of("dense, ReLU", dense(Activation.RELU)),
        Arguments.of("dense, sigmoid", dense(Activation.SIGMOID)),
        Arguments.of("dense, tanh", dense(Activation.TANH)),
        Arguments.of(
            "convolution, maximum",
            images(
                convolution("conv1", 5, same, 1, 4),
                pooling(PoolingType.MAX, same, 2),
                convolution("conv2", 16, truncate, 1, 3))),
        Arguments.of(
            "strides, mean",
            images(
                convolution("conv1", 16, truncate, 2, 3), pooling(PoolingType.AVG, truncate, 2))),
        Arguments.of(
            "mean over a padded window",
            images(convolution("conv1", 16, same, 2, 3), pooling(PoolingType.AVG, same, 3))),
        Arguments.of(
            "batch normalization",
            images(
                convolution("conv1", 6, same, 1, 3),
                normalization("norm1"),
                activation(Activation.RELU),
                convolution("conv2", 16, same, 1, 3),
                normalization("norm2"),
                activation(Activation.SIGMOID))),
        Arguments.of(
            "batch normalization without scale and shift",
            images(
                bareNormalization("norm0"),
                convolution("conv1", 6, same, 1, 3),
                bareNormalization("norm1"),
                activation(Activation.RELU))),
        Arguments.of(
            "depthwise convolutions, ReLU6",
            images(
                convolution("conv1", 6, same, 1, 3),
                depthwise("conv2", 1, 2, true),
                activation(Activation.RELU6),
                depthwise("conv3", 2, 1, false))),
        Arguments.of(
            "padding before a mean",
            images(
                convolution("conv1", 5, same, 1, 3),
                new ZeroPaddingLayer.Builder(1, 2, 0, 3).build(),
                pooling(PoolingType.AVG, truncate, 2))),
        Arguments.of(
            "group normalization of images and vectors",
            images(
                convolution("conv1", 12, same, 1, 3),
                groupNormalization("norm1"),
                activation(Activation.RELU),
                convolution("conv2", 3, same, 1, 3),
                groupNormalization("norm2"),
                activation(Activation.SIGMOID),
                wide("fc1", 12),
                groupNormalization("norm3"))),
        Arguments.of("concatenation, scaling", branches(16, 32)),
        Arguments.of("concatenation across blocks", branches(5, 7)),
        Arguments.of("residual block", residual()));
  }

  /** Normal features with random labels; the same for train and test. */
  public static DataSet data(int examples, long seed) {
    Random random = new Random(seed);
    float[] features = new float[examples * SHAPE.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    byte[] labels = new byte[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = (byte) random.nextInt(CLASSES);
    }
    var all = new FloatExamples(features, labels);
    return new DataSet("sample", SHAPE, CLASSES, all, all);
  }

  /** Two hidden layers on vectors. */
  public static Architecture dense(Activation activation) {
    return Architecture.of(
        Dl4jSetup.builder()
            .list()
            .layer(new DenseLayer.Builder().name("fc1").nOut(11).activation(activation).build())
            .layer(
                new DenseLayer.Builder()
                    .name("fc2")
                    .nOut(9)
                    .hasBias(false)
                    .activation(activation)
                    .build())
            .layer(output())
            .setInputType(InputType.feedForward(SHAPE.size()))
            .build(),
        SHAPE);
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .name("out")
        .nOut(CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  /** Layers on images, and an output. */
  public static Architecture images(Layer... layers) {
    NeuralNetConfiguration.ListBuilder list = Dl4jSetup.builder().list();
    for (Layer layer : layers) {
      list.layer(layer);
    }
    return Architecture.of(list.layer(output()).setInputType(IMAGES).build(), SHAPE);
  }

  /** Dropout between dense layers, where arrays are in the order of the examples. */
  public static Architecture dropoutOfVectors() {
    return Architecture.of(
        Dl4jSetup.builder()
            .list()
            .layer(wide("fc1", 12))
            .layer(dropout(0.6))
            .layer(wide("fc2", 10))
            .layer(dropout(0.8))
            .layer(output())
            .setInputType(InputType.feedForward(SHAPE.size()))
            .build(),
        SHAPE);
  }

  public static Layer convolution(
      String name, int channels, ConvolutionMode mode, int stride, int kernel) {
    return new ConvolutionLayer.Builder(kernel, kernel)
        .name(name)
        .nOut(channels)
        .stride(stride, stride)
        .padding(mode == ConvolutionMode.Truncate ? new int[] {1, 0} : new int[] {0, 0})
        .convolutionMode(mode)
        .activation(Activation.RELU)
        .build();
  }

  public static Layer pooling(PoolingType type, ConvolutionMode mode, int kernel) {
    return new SubsamplingLayer.Builder(type)
        .name("pool")
        .kernelSize(kernel, kernel)
        .stride(2, 2)
        .convolutionMode(mode)
        .build();
  }

  public static Layer normalization(String name) {
    return new BatchNormalization.Builder().name(name).decay(0.8).build();
  }

  public static Layer bareNormalization(String name) {
    return new BatchNormalization.Builder(true).name(name).decay(0.8).build();
  }

  public static Layer groupNormalization(String name) {
    return new GroupNormalization.Builder().name(name).build();
  }

  public static Layer depthwise(String name, int multiplier, int stride, boolean biased) {
    return new DepthwiseConvolution2D.Builder(3, 2)
        .name(name)
        .depthMultiplier(multiplier)
        .stride(stride, stride)
        .padding(1, 0)
        .convolutionMode(ConvolutionMode.Truncate)
        .hasBias(biased)
        .activation(Activation.IDENTITY)
        .build();
  }

  public static Layer wide(String name, int units) {
    return new DenseLayer.Builder().name(name).nOut(units).activation(Activation.IDENTITY).build();
  }

  public static Layer activation(Activation activation) {
    return new ActivationLayer.Builder().activation(activation).build();
  }

  public static Layer dropout(double keep) {
    return new DropoutLayer.Builder(keep).build();
  }

  /** A residual block whose parts have activations of every kind, mean over planes, output. */
  public static Architecture residual() {
    var graph =
        Dl4jSetup.builder()
            .graphBuilder()
            .addInputs("in")
            .addLayer("conv1", plain(8, 3), "in")
            .addLayer("norm1", normalization("norm1"), "conv1")
            .addLayer("relu1", activation(Activation.RELU), "norm1")
            .addLayer("conv2", plain(8, 3), "relu1")
            .addLayer("norm2", normalization("norm2"), "conv2")
            .addVertex("sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "norm2", "relu1")
            .addLayer("relu2", activation(Activation.RELU), "sum")
            .addLayer("conv3", plain(8, 1), "relu2")
            .addVertex("sum2", new ElementWiseVertex(ElementWiseVertex.Op.Add), "relu2", "conv3")
            .addLayer("mean", new GlobalPoolingLayer.Builder(PoolingType.AVG).build(), "sum2")
            .addLayer("out", output(), "mean")
            .setOutputs("out")
            .setInputTypes(IMAGES)
            .build();
    return Architecture.of(graph, SHAPE);
  }

  /** Two convolutions side by side, and one of them scaled and set to zero. */
  public static Architecture branches(int one, int other) {
    var graph =
        Dl4jSetup.builder()
            .graphBuilder()
            .addInputs("in")
            .addLayer("conv1", plain(one, 3), "in")
            .addLayer("conv2", plain(other, 1), "in")
            .addVertex("half", new ScaleVertex(0.5), "conv1")
            .addVertex("zeros", new ScaleVertex(0), "conv2")
            .addVertex("merge", new MergeVertex(), "half", "conv2", "zeros")
            .addLayer("relu", activation(Activation.RELU), "merge")
            .addLayer("conv3", plain(6, 3), "relu")
            .addLayer("mean", new GlobalPoolingLayer.Builder(PoolingType.AVG).build(), "conv3")
            .addLayer("out", output(), "mean")
            .setOutputs("out")
            .setInputTypes(IMAGES)
            .build();
    return Architecture.of(graph, SHAPE);
  }

  private static Layer plain(int channels, int kernel) {
    return new ConvolutionLayer.Builder(kernel, kernel)
        .nOut(channels)
        .hasBias(false)
        .convolutionMode(ConvolutionMode.Same)
        .activation(Activation.IDENTITY)
        .build();
  }
}
