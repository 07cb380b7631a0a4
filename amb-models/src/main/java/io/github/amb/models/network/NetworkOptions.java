package io.github.amb.models.network;

import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Initialization;
import io.github.amb.models.dl4j.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;

/**
 * The user's options of a listed network; null for the default.
 *
 * @param norm kind of normalization
 * @param normDecay share of batch normalization's running statistics that is kept per step, from 0
 *     to less than 1
 * @param normEpsilon batch normalization's ε, positive
 * @param init distributions of the initial weights
 * @param loss of the outputs
 */
public record NetworkOptions(
    Norm norm, Double normDecay, Double normEpsilon, Initialization init, Loss loss) {
  /** The network's defaults. */
  public static final NetworkOptions USUAL = new NetworkOptions(null, null, null, null, null);

  /** Names of the options that are not null. */
  List<String> given() {
    List<String> given = new ArrayList<>();
    add(given, "norm", norm);
    addConstants(given);
    add(given, "init", init);
    add(given, "loss", loss);
    return given;
  }

  /** Names of the given options that only batch normalization has. */
  List<String> constants() {
    List<String> given = new ArrayList<>();
    addConstants(given);
    return given;
  }

  private void addConstants(List<String> given) {
    add(given, "batch-norm-decay", normDecay);
    add(given, "batch-norm-epsilon", normEpsilon);
  }

  private static void add(List<String> given, String name, Object value) {
    if (value != null) {
      given.add(name);
    }
  }

  /**
   * Applies the options except {@link #norm} and {@link #loss} to a network, which is modified and
   * returned.
   */
  Architecture apply(Architecture architecture) {
    normalizations(architecture)
        .forEach(
            layer -> {
              layer.setDecay(normDecay == null ? layer.getDecay() : normDecay);
              layer.setEps(normEpsilon == null ? layer.getEps() : normEpsilon);
            });
    return architecture.startingFrom(init);
  }

  /** The batch normalizations of a network. */
  static Stream<BatchNormalization> normalizations(Architecture architecture) {
    return architecture.stages().stream()
        .filter(stage -> stage.layer() != null)
        .map(stage -> stage.layer().getLayer())
        .filter(BatchNormalization.class::isInstance)
        .map(BatchNormalization.class::cast);
  }
}
