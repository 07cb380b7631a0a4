package io.github.amb.models.network;

import io.github.amb.core.command.Command;
import io.github.amb.core.command.UsageException;
import io.github.amb.models.network.NetworkSummary.LayerSummary;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** {@code amb models [NETWORK...]}: layers, shapes and parameter counts. */
public final class ModelsCommand implements Command {
  private static final String USAGE =
      """
      usage: amb models [NETWORK...]
             amb models --json NETWORK
      Prints the layers of each network, of all if none is named; or one network as JSON, which can
      be changed and trained with --network FILE.json.""";

  private static final String JSON = "--json";

  private final PrintStream out;

  /** Prints to standard output. */
  public ModelsCommand() {
    this(System.out);
  }

  ModelsCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public String name() {
    return "models";
  }

  @Override
  public String summary() {
    return "list the networks with their layers, shapes and parameter counts";
  }

  @Override
  public int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.println(USAGE);
      return 0;
    }
    if (arguments.contains(JSON)) {
      return json(arguments);
    }
    arguments.stream()
        .filter(argument -> argument.startsWith("-"))
        .findFirst()
        .ifPresent(
            option -> {
              throw new UsageException("amb models: unknown option '" + option + "'\n" + USAGE);
            });
    Collection<String> networks = arguments.isEmpty() ? Networks.all().names() : arguments;
    networks.stream().map(Networks::summary).toList().forEach(this::print);
    return 0;
  }

  private int json(List<String> arguments) {
    List<String> networks = arguments.stream().filter(a -> !a.equals(JSON)).toList();
    if (networks.size() != 1) {
      throw new UsageException(
          "amb models --json: expected one network, found " + networks.size() + "\n" + USAGE);
    }
    out.println(Networks.json(networks.get(0)));
    return 0;
  }

  private void print(NetworkSummary network) {
    out.printf(
        Locale.ROOT,
        "%s: input %s, %d classes, %,d parameters%s%n",
        network.name(),
        network.input(),
        network.classes(),
        network.parameters(),
        network.statistics() == 0
            ? ""
            : String.format(Locale.ROOT, " and %,d running statistics", network.statistics()));
    String columns =
        "  %%-%ss %%-%ss %%-12s %%12s%%n"
            .formatted(width(network, LayerSummary::name), width(network, LayerSummary::type));
    out.printf(Locale.ROOT, columns, "layer", "type", "output", "parameters");
    for (LayerSummary layer : network.layers()) {
      String parameters = String.format(Locale.ROOT, "%,d", layer.parameters());
      out.printf(Locale.ROOT, columns, layer.name(), layer.type(), layer.output(), parameters);
    }
    out.println();
  }

  private static int width(NetworkSummary network, Function<LayerSummary, String> column) {
    return network.layers().stream().mapToInt(l -> column.apply(l).length()).max().orElse(0);
  }
}
