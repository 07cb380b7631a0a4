package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/** One hidden layer of 100 sigmoid units, 784-100-10; 79,510 parameters. */
final class SigmoidMlp {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("sigmoid-mlp", new ImageShape(1, 28, 28), SigmoidMlp::layers);

  private SigmoidMlp() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements).normalizedSigmoidDense("fc1", 100).softmax("fc2");
  }
}
