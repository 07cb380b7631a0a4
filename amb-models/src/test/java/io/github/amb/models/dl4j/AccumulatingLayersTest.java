package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

class AccumulatingLayersTest {
  @Test
  void configurationsSurviveJson() {
    MultiLayerConfiguration configuration = Samples.accumulating(Activation.SIGMOID);
    MultiLayerConfiguration copy = MultiLayerConfiguration.fromJson(configuration.toJson());
    assertEquals(configuration, copy);
    assertEquals(AccumulatingDense.class, copy.getConf(0).getLayer().getClass());
    assertEquals(AccumulatingSoftmax.class, copy.getConf(2).getLayer().getClass());
    MultiLayerConfiguration images = Samples.fastImages();
    copy = MultiLayerConfiguration.fromJson(images.toJson());
    assertEquals(images, copy);
    assertEquals(InputConvolution.class, copy.getConf(0).getLayer().getClass());
    assertEquals(PoolingRelu.class, copy.getConf(1).getLayer().getClass());
  }

  @Test
  void anInputConvolutionIsRefusedElsewhere() {
    MultiLayerConfiguration configuration =
        Dl4jSetup.builder()
            .list()
            .layer(PoolingRelu.of("pool1"))
            .layer(InputConvolution.of("conv1", 3, 2))
            .layer(new AccumulatingSoftmax.Builder().name("out").nOut(3).build())
            .setInputType(InputType.convolutional(6, 6, 1))
            .build();
    String message =
        assertThrows(IllegalArgumentException.class, () -> network(configuration)).getMessage();
    assertEquals("layer conv1: expected to be the first layer, found at position 1", message);
  }

  @Test
  void outputsEqualThoseOfDl4jsOwnLayers() {
    MultiLayerNetwork ours = network(Samples.accumulating(Activation.RELU));
    MultiLayerNetwork theirs = network(Samples.standard(Activation.RELU));
    theirs.setParams(ours.params());
    INDArray x = Nd4j.rand(DataType.FLOAT, 9, Samples.SHAPE.size());
    assertTrue(ours.output(x).equalsWithEps(theirs.output(x), 1e-6));
    // A transposed view is not row-major.
    INDArray view = Nd4j.rand(DataType.FLOAT, Samples.SHAPE.size(), 4).transpose();
    assertTrue(ours.output(view).equalsWithEps(theirs.output(view.dup('c')), 1e-6));
  }

  @Test
  void theScoreOfADataSetIsTheMeanOrSumThatDl4jSays() {
    MultiLayerNetwork ours = network(Samples.accumulating(Activation.RELU));
    MultiLayerNetwork theirs = network(Samples.standard(Activation.RELU));
    theirs.setParams(ours.params());
    INDArray x = Nd4j.rand(DataType.FLOAT, 6, Samples.SHAPE.size());
    INDArray y = Nd4j.zeros(DataType.FLOAT, 6, Samples.CLASSES);
    for (int i = 0; i < 6; i++) {
      y.putScalar(i, i % Samples.CLASSES, 1f);
    }
    var data = new org.nd4j.linalg.dataset.DataSet(x, y);
    assertEquals(theirs.score(data), ours.score(data), 1e-5);
  }

  @Test
  void anActivationThatTheLayerCannotDifferentiateIsRefused() {
    MultiLayerConfiguration configuration = Samples.accumulating(Activation.TANH);
    String message =
        assertThrows(IllegalArgumentException.class, () -> network(configuration)).getMessage();
    assertEquals("layer fc1: expected activation relu, sigmoid or identity, found tanh", message);
  }

  private static MultiLayerNetwork network(MultiLayerConfiguration configuration) {
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    return network;
  }
}
