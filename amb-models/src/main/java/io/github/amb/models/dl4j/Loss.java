package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.Targets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftPlus;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;

/**
 * Losses of DL4J's list: cross-entropy of classes, and those that are a sum over the outputs, each
 * with DL4J's formula.
 */
public enum Loss {
  /** Softmax with cross-entropy over classes. */
  MCXENT(LossFunction.MCXENT, Activation.SOFTMAX),

  /** Sigmoid with cross-entropy of each output alone. */
  XENT(LossFunction.XENT, Activation.SIGMOID),
  HINGE(LossFunction.HINGE, Activation.IDENTITY),
  SQUARED_HINGE(LossFunction.SQUARED_HINGE, Activation.IDENTITY),

  /** The mean of the squares over the outputs; {@link #L2} is their sum. */
  MSE(LossFunction.MSE, Activation.IDENTITY),
  L2(LossFunction.L2, Activation.IDENTITY),

  /** The mean of the absolute errors over the outputs; {@link #L1} is their sum. */
  MAE(LossFunction.MEAN_ABSOLUTE_ERROR, Activation.IDENTITY),
  L1(LossFunction.L1, Activation.IDENTITY),

  /** The mean of the errors in percent. */
  MAPE(LossFunction.MEAN_ABSOLUTE_PERCENTAGE_ERROR, Activation.IDENTITY),

  /** The mean of the squared differences of the logarithms of numbers and 1. */
  MSLE(LossFunction.MEAN_SQUARED_LOGARITHMIC_ERROR, Activation.SOFTPLUS),
  POISSON(LossFunction.POISSON, Activation.SOFTPLUS),
  KL_DIVERGENCE(LossFunction.KL_DIVERGENCE, Activation.SIGMOID),
  WASSERSTEIN(LossFunction.WASSERSTEIN, Activation.IDENTITY);

  private final LossFunction function;
  private final Activation activation;

  Loss(LossFunction function, Activation activation) {
    this.function = function;
    this.activation = activation;
  }

  /** The names, as users type them. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Loss::toString).toList();
  }

  /** The loss of a name that {@link #names} has. */
  public static Loss named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The usual loss. */
  public static Loss of(Targets targets) {
    return switch (targets) {
      case CLASS -> MCXENT;
      case LABELS -> XENT;
      case NUMBERS -> MSE;
    };
  }

  /** The loss of an output layer; empty if it has another, or not its activation. */
  static Optional<Loss> of(Layer layer) {
    if (!(layer instanceof BaseOutputLayer output)) {
      return Optional.empty();
    }
    ILossFunction found = output.getLossFn();
    boolean softmax = output.getActivationFn() instanceof ActivationSoftmax;
    boolean sigmoid = output.getActivationFn() instanceof ActivationSigmoid;
    return Arrays.stream(values())
        .filter(loss -> loss == MCXENT ? found instanceof LossMCXENT : loss.isOf(found))
        .filter(loss -> softmax == (loss == MCXENT) && (sigmoid || loss != XENT))
        .findFirst();
  }

  private boolean isOf(ILossFunction found) {
    return found != null && found.getClass() == function.getILossFunction().getClass();
  }

  /** The loss of an output layer that has no weights, nor other limits than DL4J's usual ones. */
  public static Optional<Loss> plain(BaseOutputLayer layer) {
    return of(layer).filter(l -> l.function.getILossFunction().equals(layer.getLossFn()));
  }

  /** DL4J's constant. */
  public LossFunction function() {
    return function;
  }

  /** The usual function of the outputs. */
  public Activation activation() {
    return activation;
  }

  /** Whether the loss of an output layer is computed from the arguments of its activation. */
  public static boolean takesArguments(BaseOutputLayer layer) {
    return isSoftplus(layer)
        || of(layer).filter(loss -> loss == MCXENT || loss == XENT).isPresent();
  }

  static boolean isSoftplus(BaseOutputLayer layer) {
    return layer.getActivationFn() instanceof ActivationSoftPlus;
  }

  /** Whether an output decides between two classes. */
  boolean isBinary() {
    return this == XENT || isSigned();
  }

  /** Whether it takes the two classes as −1 and 1. */
  boolean isSigned() {
    return this == HINGE || this == SQUARED_HINGE;
  }

  /**
   * Number of outputs of a network with this loss.
   *
   * @param classes number of classes, labels or numbers
   */
  public int outputs(Targets targets, int classes) {
    return isBinary() && targets == Targets.CLASS && classes == 2 ? 1 : classes;
  }

  /** Explains why it cannot be used with a number of outputs; empty if it can. */
  Optional<String> misfit(long outputs, Targets targets, int classes) {
    boolean known =
        switch (targets) {
          case CLASS -> true;
          case LABELS -> this != MCXENT;
          case NUMBERS -> this != MCXENT && !isBinary();
        };
    boolean one = targets == Targets.CLASS && this != MCXENT && (classes == 2 || !isBinary());
    if (known && (outputs == classes || one && outputs == 1)) {
      return Optional.empty();
    }
    String what = targets == Targets.CLASS ? "classes" : targets.toString();
    return Optional.of(
        known
            ? "%d outputs, found %d %s".formatted(outputs, classes, what)
            : "loss %s, found %s to predict; give it another, as %s"
                .formatted(this, what, of(targets)));
  }

  /**
   * The loss of an output.
   *
   * @param x the output, or the argument of its activation
   * @param y what is expected
   */
  double value(double x, double y, int outputs) {
    return switch (this) {
      case XENT -> Math.max(x, 0) - x * y + Math.log1p(Math.exp(-Math.abs(x)));
      case HINGE -> Math.max(0, 1 - x * y);
      case SQUARED_HINGE -> square(Math.max(0, 1 - x * y));
      case MSE -> square(x - y) / outputs;
      case L2 -> square(x - y);
      case MAE -> Math.abs(x - y) / outputs;
      case L1 -> Math.abs(x - y);
      case MAPE -> 100 * Math.abs((x - y) / y) / outputs;
      case MSLE -> square(Math.log((1 + x) / (1 + y))) / outputs;
      case POISSON -> x - y * Math.log(x);
      case KL_DIVERGENCE -> y == 0 ? 0 : y * Math.log(y / x);
      case WASSERSTEIN -> x * y / outputs;
      case MCXENT -> throw new IllegalStateException("the classes are compared");
    };
  }

  /** The derivative of {@link #value} by x. */
  double slope(double x, double y, int outputs) {
    return switch (this) {
      case XENT -> 1 / (1 + Math.exp(-x)) - y;
      case HINGE -> x * y < 1 ? -y : 0;
      case SQUARED_HINGE -> -2 * y * Math.max(0, 1 - x * y);
      case MSE -> 2 * (x - y) / outputs;
      case L2 -> 2 * (x - y);
      case MAE -> Math.signum(x - y) / outputs;
      case L1 -> Math.signum(x - y);
      case MAPE -> 100 * Math.signum(x - y) / Math.abs(y) / outputs;
      case MSLE -> 2 * Math.log((1 + x) / (1 + y)) / (1 + x) / outputs;
      case POISSON -> 1 - y / x;
      case KL_DIVERGENCE -> -y / x;
      case WASSERSTEIN -> y / outputs;
      case MCXENT -> throw new IllegalStateException("the classes are compared");
    };
  }

  private static double square(double x) {
    return x * x;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
