package io.github.amb.models.dl4j;

import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import java.util.Random;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small data and networks for tests. */
public final class Samples {
  public static final ImageShape SHAPE = new ImageShape(2, 6, 5);
  static final int CLASSES = 3;

  private Samples() {}

  /** Normal features with random labels; the same for train and test. */
  public static DataSet data(int examples) {
    return data(examples, SHAPE, CLASSES);
  }

  static DataSet data(int examples, ImageShape shape, int classes) {
    Random random = new Random(ModelSeeds.of(7));
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

  public static int[] indices(int count) {
    return IntStream.range(0, count).toArray();
  }

  /** Two hidden layers on vectors. */
  public static MultiLayerConfiguration dense(Activation activation) {
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

  /** Convolution, batch normalization and dropout before dense layers. */
  public static MultiLayerConfiguration mixed(double keep) {
    var dense = new DenseLayer.Builder().name("fc1").nOut(8).activation(Activation.SIGMOID);
    var output =
        new OutputLayer.Builder(LossFunction.MCXENT)
            .name("out")
            .nOut(CLASSES)
            .activation(Activation.SOFTMAX)
            .dropOut(keep);
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
}
