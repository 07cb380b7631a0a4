package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/** A fully connected network for the toy data: 100-500-1000-500-10; 1,057,010 parameters. */
final class ToyFc implements NetworkDefinition {
  @Override
  public String name() {
    return "toy-fc";
  }

  @Override
  public ImageShape input() {
    return new ImageShape(1, 10, 10);
  }

  @Override
  public int classes() {
    return 10;
  }

  @Override
  public MultiLayerConfiguration configuration() {
    return LayerStack.of(input())
        .dense("fc1", 500)
        .dense("fc2", 1000)
        .dense("fc3", 500)
        .softmax("fc4", classes());
  }
}
