package io.github.amb.models.network;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The networks by name. A new one is a class of its own and a line here. */
public final class Networks {
  private static final Map<String, NetworkDefinition> ALL =
      List.of(new MnistCnn(), new ToyFc(), new ToyConv(), new SigmoidMlp()).stream()
          .collect(
              Collectors.toMap(
                  NetworkDefinition::name, Function.identity(), (a, b) -> a, LinkedHashMap::new));

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "mnist", "mnist-cnn",
          "fashion-mnist", "mnist-cnn",
          "digits", "mnist-cnn",
          "toy", "toy-conv");

  private Networks() {}

  /** Names of all networks. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(ALL.keySet());
  }

  /**
   * The network that a data set is trained on unless the user chooses another.
   *
   * @throws UsageException if there is none for that data set
   */
  public static String defaultFor(String dataSet) {
    String network = DEFAULTS.get(dataSet.replace('_', '-'));
    if (network == null) {
      throw new UsageException(
          "data set '%s' has no default network: name one of %s with --network"
              .formatted(dataSet, String.join(", ", ALL.keySet())));
    }
    return network;
  }

  /**
   * Checks that a network exists and that data fit it, without loading any native library.
   *
   * @throws UsageException if the network is unknown or the data do not fit it
   */
  public static void check(String network, DataSet data) {
    NetworkDefinition definition = definition(network);
    if (!definition.input().equals(data.shape()) || definition.classes() != data.classes()) {
      throw new UsageException(
          "network '%s' expects examples of %s (channels x height x width) in %d classes, found %s in %d classes in data set '%s': choose another --network"
              .formatted(
                  network,
                  definition.input(),
                  definition.classes(),
                  data.shape(),
                  data.classes(),
                  data.name()));
    }
  }

  /**
   * A network on a data set; the caller closes it.
   *
   * @throws UsageException if the network is unknown or the data do not fit it
   */
  public static GradientSource open(String network, DataSet data) {
    check(network, data);
    NetworkDefinition definition = definition(network);
    return new Dl4jGradientSource(definition.configuration(), data);
  }

  /**
   * The layers of a network.
   *
   * @throws UsageException if the network is unknown
   */
  public static NetworkSummary summary(String network) {
    return NetworkSummary.of(definition(network));
  }

  private static NetworkDefinition definition(String network) {
    NetworkDefinition definition = ALL.get(network);
    if (definition == null) {
      throw new UsageException(
          "unknown network '" + network + "'" + Suggestion.forName(network, ALL.keySet()));
    }
    return definition;
  }
}
