package io.github.amb.bench.harness;

import io.github.amb.core.command.OptionTokens;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options of a benchmark as the user set them, with defaults for the others. */
public final class BenchmarkOptions {
  private final Map<String, String> values;

  private BenchmarkOptions(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Parses a command line.
   *
   * @throws UsageException if an option is unknown or a value out of range; the message has all
   *     problems
   */
  public static BenchmarkOptions parse(List<Parameter> parameters, List<String> arguments) {
    List<String> problems = new ArrayList<>();
    OptionTokens tokens = OptionTokens.of(options(parameters), arguments, problems);
    tokens.words().forEach(word -> problems.add("expected options only, found '" + word + "'"));
    Map<String, String> values = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      String value = tokens.line().getOptionValue(parameter.name(), parameter.fallback());
      if (value != null) {
        values.put(parameter.name(), value);
        if (!parameter.valid().test(value)) {
          problems.add(
              "--%s: expected %s, found '%s'"
                  .formatted(parameter.name(), parameter.expected(), value));
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new BenchmarkOptions(values);
  }

  private static Options options(List<Parameter> parameters) {
    Options options = new Options();
    parameters.forEach(p -> options.addOption(Option.builder().longOpt(p.name()).hasArg().get()));
    return options;
  }

  /** The value as typed, or the default; null if there is neither. */
  public String text(Parameter parameter) {
    return values.get(parameter.name());
  }

  public int integer(Parameter parameter) {
    return Integer.parseInt(text(parameter));
  }

  public double real(Parameter parameter) {
    return Double.parseDouble(text(parameter));
  }

  /** The values of an option, which are separated by commas. */
  public List<String> texts(Parameter parameter) {
    return List.of(text(parameter).split(","));
  }

  /** The integers of an option, which are separated by commas. */
  public int[] integers(Parameter parameter) {
    return Arrays.stream(text(parameter).split(",")).mapToInt(Integer::parseInt).toArray();
  }

  /** Every option that has a value, by name. */
  public Map<String, String> all() {
    return new LinkedHashMap<>(values);
  }
}
