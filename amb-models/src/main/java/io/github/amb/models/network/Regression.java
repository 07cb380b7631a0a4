package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;

/** Models with a convex loss, without hidden layers; all parameters are 0 at first. */
final class Regression {
  /** Logistic regression, of several classes with softmax: {@code W x + b}, cross-entropy. */
  static final NetworkDefinition LOGISTIC =
      NetworkDefinition.of(
              "logistic-regression",
              new ImageShape(1, 28, 28),
              requirements -> new LayerStack(requirements).softmaxFromZero("softmax"))
          .with(new InputRule.AtLeast(1));

  /** Linear regression: {@code ⟨w, x⟩ + b}, squared error. */
  static final NetworkDefinition LINEAR =
      NetworkDefinition.of(
              "linear-regression",
              new ImageShape(1, 10, 10),
              requirements -> new LayerStack(requirements).leastSquares("linear"))
          .with(new InputRule.AtLeast(1))
          .withClasses(2);

  private Regression() {}
}
