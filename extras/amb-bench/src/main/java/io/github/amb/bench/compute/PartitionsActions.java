package io.github.amb.bench.compute;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The actions of the Python program's {@code test_perf_partitions}, as options of the benchmark:
 * {@code batch NETWORK} for all powers of two of batch sizes and partitions, {@code eval NETWORK}
 * for one of each.
 */
public final class PartitionsActions {
  /** Default of {@code --largest}, the largest batch size of {@code batch}. */
  private static final int LARGEST = 512;

  private static final int SMALLEST = 2;

  private PartitionsActions() {}

  /** Whether the first argument is an action. */
  public static boolean isOne(List<String> arguments) {
    return !arguments.isEmpty() && arguments.get(0).matches("batch|eval");
  }

  /**
   * Converts an action to options.
   *
   * @throws UsageException if the network is missing or unknown
   */
  public static List<String> options(List<String> arguments) {
    List<String> rest = new ArrayList<>(arguments.subList(1, arguments.size()));
    rest.replaceAll(argument -> argument.startsWith("--") ? argument.replace('_', '-') : argument);
    List<String> options = new ArrayList<>(List.of("--network", network(rest)));
    if (arguments.get(0).equals("eval")) {
      int partitions = rest.indexOf("--num-partitions");
      if (partitions >= 0 && partitions + 1 < rest.size()) {
        String count = rest.get(partitions + 1);
        rest.set(partitions, "--partitions");
        rest.set(partitions + 1, count.equals("1") ? "1" : "1," + count);
      }
    } else {
      int largest = takeInteger("--largest", LARGEST, rest);
      options.addAll(List.of("--batch-size", powersOfTwo(2 * SMALLEST, largest)));
      options.addAll(List.of("--partitions", powersOfTwo(1, largest / 2)));
      if (!rest.contains("--out")) {
        options.addAll(List.of("--out", "."));
      }
    }
    options.addAll(rest);
    return options;
  }

  /** Removes the network from the arguments; a data set stands for its default network. */
  private static String network(List<String> rest) {
    if (rest.isEmpty() || rest.get(0).startsWith("--")) {
      throw new UsageException("expected a network (amb models) after batch or eval, found none");
    }
    String name = rest.remove(0);
    String data = name.replaceFirst("^toy[-_]model$", "toy");
    return Networks.ALL.find(name).isEmpty() && DataSets.ALL.find(data).isPresent()
        ? Networks.defaultFor(DataSets.ALL.canonical(data))
        : Networks.ALL.named(name).name();
  }

  private static int takeInteger(String option, int otherwise, List<String> rest) {
    int index = rest.indexOf(option);
    if (index < 0 || index + 1 == rest.size()) {
      return otherwise;
    }
    String value = rest.get(index + 1);
    rest.subList(index, index + 2).clear();
    if (!value.matches("\\d{1,7}") || Integer.parseInt(value) < 2 * SMALLEST) {
      throw new UsageException(
          option + ": expected an integer of at least " + 2 * SMALLEST + ", found " + value);
    }
    return Integer.parseInt(value);
  }

  private static String powersOfTwo(int from, int to) {
    return IntStream.iterate(from, value -> value <= to, value -> 2 * value)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }
}
