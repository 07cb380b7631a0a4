package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/** One hidden layer of 100 sigmoid units, 784-100-10; 79,510 parameters. */
final class SigmoidMlp implements NetworkDefinition {
  @Override
  public String name() {
    return "sigmoid-mlp";
  }

  @Override
  public ImageShape input() {
    return new ImageShape(1, 28, 28);
  }

  @Override
  public int classes() {
    return 10;
  }

  @Override
  public MultiLayerConfiguration configuration() {
    return LayerStack.of(input()).sigmoidDense("fc1", 100).softmax("fc2", classes());
  }
}
