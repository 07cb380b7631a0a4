package io.github.amb.api;

import java.util.List;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A program's own data and network: points on an inner and an outer ring. */
final class RingTraining {
  private static final double GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

  private RingTraining() {}

  static TrainingData points(int count) {
    float[] features = new float[2 * count];
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      labels[i] = i % 2;
      double radius = labels[i] + 0.5;
      features[2 * i] = (float) (radius * Math.cos(i * GOLDEN_ANGLE));
      features[2 * i + 1] = (float) (radius * Math.sin(i * GOLDEN_ANGLE));
    }
    return TrainingData.of(features, labels, 2);
  }

  static MultiLayerConfiguration network() {
    return new NeuralNetConfiguration.Builder()
        .list()
        .layer(new DenseLayer.Builder().nOut(16).activation(Activation.TANH).build())
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(2)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(InputType.feedForward(2))
        .build();
  }

  /** The same layers as a graph. */
  static ComputationGraphConfiguration graph() {
    List<NeuralNetConfiguration> layers = network().getConfs();
    return new NeuralNetConfiguration.Builder()
        .graphBuilder()
        .addInputs("in")
        .addLayer("0", layers.get(0).getLayer(), "in")
        .addLayer("1", layers.get(1).getLayer(), "0")
        .setOutputs("1")
        .setInputTypes(InputType.feedForward(2))
        .build();
  }

  static Training.Builder training() {
    return Training.builder()
        .data(points(200), points(50))
        .network(network())
        .scheme("fmb")
        .batchSize(16)
        .option("cost-per-example", 0.01)
        .option("last-step", 20);
  }
}
