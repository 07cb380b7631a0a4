package io.github.amb.models.dl4j;

import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.FloatExamples;
import io.github.amb.models.data.ImageShape;
import java.util.Random;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small data and networks for tests. */
final class Samples {
  static final ImageShape SHAPE = new ImageShape(2, 6, 5);
  static final int CLASSES = 3;

  private Samples() {}

  /** Normal features with random labels; the same for train and test. */
  static DataSet data(int examples) {
    return data(examples, SHAPE, CLASSES);
  }

  static DataSet data(int examples, ImageShape shape, int classes) {
    Random random = new Random(7);
    float[] features = new float[examples * shape.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    byte[] labels = new byte[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = (byte) random.nextInt(classes);
    }
    var all = new FloatExamples(features, labels);
    return new DataSet("sample", shape, classes, all, all);
  }

  static int[] indices(int count) {
    return IntStream.range(0, count).toArray();
  }

  /** Layers of this package only. */
  static MultiLayerConfiguration accumulating(Activation activation) {
    return Dl4jSetup.builder()
        .list()
        .layer(new AccumulatingDense.Builder().name("fc1").nOut(8).activation(activation).build())
        .layer(new AccumulatingDense.Builder().name("fc2").nOut(7).activation(activation).build())
        .layer(new AccumulatingSoftmax.Builder().name("out").nOut(CLASSES).build())
        .setInputType(InputType.feedForward(SHAPE.size()))
        .build();
  }

  /** The same network of DL4J's own layers. */
  static MultiLayerConfiguration standard(Activation activation) {
    return Dl4jSetup.builder()
        .list()
        .layer(new DenseLayer.Builder().name("fc1").nOut(8).activation(activation).build())
        .layer(new DenseLayer.Builder().name("fc2").nOut(7).activation(activation).build())
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .name("out")
                .nOut(CLASSES)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(InputType.feedForward(SHAPE.size()))
        .build();
  }

  /** Convolution, batch normalisation and dropout before layers of this package. */
  static MultiLayerConfiguration mixed(double keep) {
    var dense = new AccumulatingDense.Builder().name("fc1").nOut(8).activation(Activation.SIGMOID);
    var output = new AccumulatingSoftmax.Builder().name("out").nOut(CLASSES).dropOut(keep);
    return Dl4jSetup.builder()
        .list()
        .layer(
            new ConvolutionLayer.Builder(3, 3)
                .name("conv1")
                .nOut(4)
                .convolutionMode(ConvolutionMode.Same)
                .activation(Activation.IDENTITY)
                .build())
        .layer(new BatchNormalization.Builder().name("bn1").activation(Activation.RELU).build())
        .layer(dense.build())
        .layer(output.build())
        .setInputType(InputType.convolutional(SHAPE.height(), SHAPE.width(), SHAPE.channels()))
        .build();
  }

  /** A convolution network of this package's layers, on odd widths. */
  static MultiLayerConfiguration fastImages() {
    return Dl4jSetup.builder()
        .list()
        .layer(InputConvolution.of("conv1", 4, 3))
        .layer(PoolingRelu.of("pool1"))
        .layer(new AccumulatingSoftmax.Builder().name("out").nOut(CLASSES).build())
        .setInputType(InputType.convolutional(SHAPE.height(), SHAPE.width(), SHAPE.channels()))
        .build();
  }

  /** The same network of DL4J's own layers, with the ReLU before the pooling. */
  static MultiLayerConfiguration standardImages() {
    return Dl4jSetup.builder()
        .convolutionMode(ConvolutionMode.Same)
        .list()
        .layer(
            new ConvolutionLayer.Builder(4, 4)
                .name("conv1")
                .nOut(3)
                .activation(Activation.RELU)
                .build())
        .layer(
            new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
                .name("pool1")
                .kernelSize(2, 2)
                .stride(2, 2)
                .build())
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .name("out")
                .nOut(CLASSES)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(InputType.convolutional(SHAPE.height(), SHAPE.width(), SHAPE.channels()))
        .build();
  }
}
