package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;

/** Models with a convex loss and no hidden layers; all parameters are initially 0. */
final class Regression {
  /** Logistic regression with cross-entropy: softmax of {@code W x + b}. */
  static final NetworkDefinition LOGISTIC =
      NetworkDefinition.of(
              "logistic-regression",
              new ImageShape(1, 28, 28),
              requirements -> new LayerStack(requirements).softmaxFromZero("softmax"))
          .with(new InputRule.AtLeast(1));

  /** Linear regression with squared error: {@code ⟨w, x⟩ + b}. */
  static final NetworkDefinition LINEAR =
      NetworkDefinition.of(
              "linear-regression",
              new ImageShape(1, 10, 10),
              requirements -> new LayerStack(requirements).leastSquares("linear"))
          .with(new InputRule.AtLeast(1))
          .withClasses(2);

  private Regression() {}
}
