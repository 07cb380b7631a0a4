package io.github.amb.runtime.catalog;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.NetworkSummary.LayerSummary;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.command.Arguments;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.commons.cli.Options;

/** {@code amb models [NETWORK...]}: the networks; layers, shapes and parameter counts of some. */
public final class ModelsCommand extends CatalogCommand<NetworkDefinition> {
  private static final String JSON = "json";

  /** Prints to standard output. */
  public ModelsCommand() {
    super("models", "A network says what is trained.", Networks.ALL);
  }

  @Override
  public Options options() {
    return Arguments.options("json   print one network as JSON");
  }

  @Override
  protected int run(Arguments given) throws IOException {
    if (!given.has(JSON)) {
      return super.run(given);
    }
    List<String> networks = given.positional();
    if (networks.size() != 1) {
      throw new UsageException("--json: expected one network, found " + networks.size());
    }
    out.println(Networks.json(networks.get(0)));
    return 0;
  }

  @Override
  protected String footer() {
    return "amb models --json NAME prints one as JSON, to be changed and trained with --network"
        + " FILE.json.";
  }

  @Override
  protected String details(NetworkDefinition definition, String text) {
    if (!Networks.named(text).hasLayers()) {
      return "  size      no layers: it computes its own gradients\n";
    }
    NetworkSummary network = Networks.summary(text);
    StringBuilder layers = new StringBuilder();
    String statistics =
        network.statistics() == 0
            ? ""
            : format(" and %,d running statistics", network.statistics());
    layers.append(
        format(
            "  size      input %s, %d classes, %,d parameters%s%n",
            network.input(), network.classes(), network.parameters(), statistics));
    String columns =
        "  %%-%ss %%-%ss %%-12s %%12s%%n"
            .formatted(width(network, LayerSummary::name), width(network, LayerSummary::type));
    layers.append(format(columns, "layer", "type", "output", "parameters"));
    for (LayerSummary layer : network.layers()) {
      String parameters = format("%,d", layer.parameters());
      layers.append(format(columns, layer.name(), layer.type(), layer.output(), parameters));
    }
    return layers.toString();
  }

  private static int width(NetworkSummary network, Function<LayerSummary, String> column) {
    return network.layers().stream().mapToInt(l -> column.apply(l).length()).max().orElse(0);
  }
}
