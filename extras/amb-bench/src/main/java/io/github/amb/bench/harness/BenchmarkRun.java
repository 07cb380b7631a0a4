package io.github.amb.bench.harness;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.OptionTokens;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * A run of a benchmark: the options as the user set them, with defaults for the others, and its
 * progress: after two seconds, a line every five seconds shows what is being measured.
 */
public final class BenchmarkRun {
  private static final long SILENCE = 2_000_000_000L;
  private static final long INTERVAL = 5_000_000_000L;

  private final Map<String, String> values = new LinkedHashMap<>();
  private final PrintStream out;
  private long next = System.nanoTime() + SILENCE;

  private BenchmarkRun(PrintStream out) {
    this.out = out;
  }

  /**
   * Parses a command line.
   *
   * @param out receives progress
   * @throws UsageException if an option is unknown or a value out of range; the message has all
   *     problems
   */
  public static BenchmarkRun parse(
      List<Setting<?>> parameters, List<String> arguments, PrintStream out) {
    List<String> problems = new ArrayList<>();
    Options options = new Options();
    parameters.forEach(p -> options.addOption(Option.builder().longOpt(p.name()).hasArg().get()));
    OptionTokens tokens = OptionTokens.of(options, arguments, problems);
    tokens.words().forEach(word -> problems.add("expected options only, found '" + word + "'"));
    BenchmarkRun run = new BenchmarkRun(out);
    for (Setting<?> parameter : parameters) {
      String name = parameter.name();
      if (parameter.fallback() != null || tokens.line().hasOption(name)) {
        String value = tokens.line().getOptionValue(name, parameter.usual());
        parameter.parse("--" + name, value, problems);
        run.values.put(name, value);
      }
    }
    UsageException.expectNone(problems);
    return run;
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

  /** The path given, or the default; null if there is neither. */
  public Path path(Setting<String> parameter) {
    return text(parameter) == null ? null : Path.of(text(parameter));
  }

  /** The values of an option, which are separated by commas. */
  public List<String> texts(Setting<?> parameter) {
    return List.of(text(parameter).split(",(?!\\d)"));
  }

  /** The integers of an option, which are separated by commas. */
  public int[] integers(Setting<List<Integer>> parameter) {
    return get(parameter).stream().mapToInt(Integer::intValue).toArray();
  }

  /** Every option that has a value, by name. */
  public Map<String, String> all() {
    return new LinkedHashMap<>(values);
  }

  /** Shows the current action, unless something was shown a moment ago. */
  public synchronized void say(String what) {
    long now = System.nanoTime();
    if (now - next >= 0) {
      next = now + INTERVAL;
      out.println("amb bench: " + what);
    }
  }

  /** Shows the current action, and the share of the benchmark that is done. */
  public void say(String what, int done, int total) {
    say("%s, %d %% done".formatted(what, 100 * done / Math.max(1, total)));
  }
}
