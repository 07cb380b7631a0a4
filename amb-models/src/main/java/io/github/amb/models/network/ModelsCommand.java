package io.github.amb.models.network;

import io.github.amb.core.command.Command;
import io.github.amb.core.command.UsageException;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** {@code amb models [NETWORK...]}: layers, shapes and parameter counts. */
public final class ModelsCommand implements Command {
  private static final String USAGE =
      "usage: amb models [NETWORK...]\nPrints the layers of each network, of all if none is named.";
  private static final String ROW = "  %-8s %-12s %-12s %,12d%n";

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
    arguments.stream()
        .filter(argument -> argument.startsWith("-"))
        .findFirst()
        .ifPresent(
            option -> {
              throw new UsageException("amb models: unknown option '" + option + "'\n" + USAGE);
            });
    Collection<String> networks = arguments.isEmpty() ? Networks.names() : arguments;
    networks.stream().map(Networks::summary).toList().forEach(this::print);
    return 0;
  }

  private void print(NetworkSummary network) {
    out.printf(
        Locale.ROOT,
        "%s: input %s, %d classes, %,d parameters%n",
        network.name(),
        network.input(),
        network.classes(),
        network.parameters());
    out.printf("  %-8s %-12s %-12s %12s%n", "layer", "type", "output", "parameters");
    for (NetworkSummary.LayerSummary layer : network.layers()) {
      out.printf(Locale.ROOT, ROW, layer.name(), layer.type(), layer.output(), layer.parameters());
    }
    out.println();
  }
}
