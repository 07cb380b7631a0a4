package io.github.amb.bench.harness;

import io.github.amb.core.command.OptionTokens;
import io.github.amb.core.command.Setting;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
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
  public static BenchmarkOptions parse(List<Setting<?>> parameters, List<String> arguments) {
    List<String> problems = new ArrayList<>();
    OptionTokens tokens = OptionTokens.of(options(parameters), arguments, problems);
    tokens.words().forEach(word -> problems.add("expected options only, found '" + word + "'"));
    Map<String, String> values = new LinkedHashMap<>();
    for (Setting<?> parameter : parameters) {
      String name = parameter.name();
      if (parameter.fallback() != null || tokens.line().hasOption(name)) {
        String value = tokens.line().getOptionValue(name, parameter.usual());
        try {
          parameter.parse("--" + name, value);
        } catch (UsageException e) {
          problems.add(e.getMessage());
        }
        values.put(name, value);
      }
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new BenchmarkOptions(values);
  }

  private static Options options(List<Setting<?>> parameters) {
    Options options = new Options();
    parameters.forEach(p -> options.addOption(Option.builder().longOpt(p.name()).hasArg().get()));
    return options;
  }

  /** The value as typed, or the default; null if there is neither. */
  public String text(Setting<?> parameter) {
    return values.get(parameter.name());
  }

  /** The value given, or the default; null if there is neither. */
  public <T> T get(Setting<T> parameter) {
    String text = text(parameter);
    return text == null ? null : parameter.parser().apply(text);
  }

  /** The values of an option, which are separated by commas. */
  public List<String> texts(Setting<?> parameter) {
    return List.of(text(parameter).split(","));
  }

  /** The integers of an option, which are separated by commas. */
  public int[] integers(Setting<List<Integer>> parameter) {
    return get(parameter).stream().mapToInt(Integer::intValue).toArray();
  }

  /** Every option that has a value, by name. */
  public Map<String, String> all() {
    return new LinkedHashMap<>(values);
  }
}
