package io.github.amb.bench.harness;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.OptionTokens;
import io.github.amb.runtime.command.TerminalDevice;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * A run of a benchmark: the options as the user set them, with defaults for the others, and its
 * progress. After two seconds that shows what is being measured, how much is done, and the time
 * left. On a terminal it is a bar, otherwise a line every five seconds.
 */
public final class BenchmarkRun {
  private static final long SILENCE = 2_000_000_000L;
  private static final long INTERVAL = 5_000_000_000L;
  private static final long REDRAW = 200_000_000L;
  private static final int WIDTH = 24;
  private static final int LINE = 78;

  private final Map<String, String> values = new LinkedHashMap<>();
  private final PrintStream out;
  private final boolean terminal = TerminalDevice.find(System.getenv()).isPresent();
  private final long start = System.nanoTime();
  private long next = start + SILENCE;
  private boolean drawn;

  private BenchmarkRun(PrintStream out) {
    this.out = out;
  }

  /**
   * Parses a command line.
   *
   * @param out receives progress: a bar if standard output is a terminal
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
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
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

  /** Shows the current action, unless something was shown a moment ago. */
  public void say(String what) {
    show(what, "", System.nanoTime());
  }

  /** Shows the current action, the share of the benchmark that is done, and the time left. */
  public void say(String what, int done, int total) {
    int percent = (int) (100L * done / Math.max(1, total));
    int full = WIDTH * percent / 100;
    String bar = "[%s%s] %3s %% ".formatted("#".repeat(full), ".".repeat(WIDTH - full), percent);
    long now = System.nanoTime();
    double left = (now - start) / 1e9 * (total - done) / Math.max(1, done);
    String seconds = done == 0 ? "" : String.format(Locale.ROOT, ", %.0f s left", left);
    show(what + seconds, bar, now);
  }

  private synchronized void show(String what, String bar, long now) {
    if (now - next < 0) {
      return;
    }
    next = now + (terminal ? REDRAW : INTERVAL);
    String line = "amb bench: " + bar + what;
    if (terminal) {
      String cut = line.length() > LINE ? line.substring(0, LINE) : line;
      out.print("\r" + cut + " ".repeat(LINE - cut.length()));
      out.flush();
      drawn = true;
    } else {
      out.println(line);
    }
  }

  /** Removes the bar. */
  public synchronized void finish() {
    if (drawn) {
      out.print("\r" + " ".repeat(LINE) + "\r");
      out.flush();
    }
  }
}
