package io.github.amb.testing;

import java.util.List;

class OurNetworksTest extends NetworkContract {
  /** One of each kind, and the example, which is on this class path, too. */
  @Override
  protected List<String> networks() {
    return List.of(
        "toy-conv",
        "sigmoid-mlp",
        "mlp:8,4",
        "cnn:4",
        "vit:2,2,16,8",
        "logistic-regression",
        "lenet",
        "tiny-mlp");
  }
}
