package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/** A fully connected network for the toy data: 100-500-1000-500-10; 1,057,010 parameters. */
final class ToyFc {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("toy-fc", new ImageShape(1, 10, 10), ToyFc::layers);

  private ToyFc() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements)
        .normalizedDense("fc1", 500)
        .normalizedDense("fc2", 1000)
        .normalizedDense("fc3", 500)
        .softmax("fc4");
  }
}
