package io.github.amb.runtime.runs;

import static io.github.amb.core.option.Decimal.format;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.command.TerminalDevice;
import io.github.amb.runtime.runs.WhatIf.Change;
import io.github.amb.runtime.runs.WhatIf.Slow;
import io.github.amb.runtime.runs.WhatIf.Speed;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.commons.cli.Options;

/** {@code amb whatif}: who makes a run slow, and what would make it faster. */
public final class WhatIfCommand extends OptionsCommand {
  private static final String TABLE = "table";
  private static final String JSON = "json";
  private static final List<String> FORMATS = List.of(TABLE, JSON);

  /** A slowdown below this is not worth a table of the workers. */
  private static final double NOTHING = 1.01;

  private static final int MAX_ROWS = 5;
  private static final double WORTH = 0.005; // shares that are not 0 %
  private static final double PERCENT = 100;

  private static final List<Column<Slow>> WORKERS =
      List.of(
          new Column<>("worker", 90, false, slow -> String.valueOf(slow.worker())),
          new Column<>("share of", "slowdown", 90, false, slow -> percent(slow.share())),
          new Column<>("slow", 50, true, slow -> slow.always() ? "always" : "now and then"),
          new Column<>("cause", 50, true, slow -> slow.delay() ? "delay" : "computing"),
          speed("s/step", "if usual", slow -> slow.without().secondsPerStep()),
          speed("examples/s", "if usual", slow -> slow.without().examplesPerSecond()));

  /** Prints to standard output. */
  public WhatIfCommand() {
    super(
        "whatif", "RUN", "predict a run's speed without its slow workers, and with other schemes");
  }

  private static <R> Column<R> speed(String heading, String unit, Function<R, Double> value) {
    return new Column<>(heading, unit, 60, false, row -> number(value.apply(row)));
  }

  private static String number(double value) {
    return format("%.4g", value);
  }

  private static String percent(double share) {
    return format("%.0f %%", PERCENT * share);
  }

  @Override
  public Map<String, List<String>> values() {
    return Map.of("format", FORMATS);
  }

  @Override
  protected int run(Arguments given) throws IOException {
    String form = given.value("format", TABLE);
    Suggestion.expectKnown("--format: unknown format", form, FORMATS);
    WhatIf run = new WhatIf(RunDirectory.named(given.single("one run directory")));
    List<Slow> slow = run.slow();
    List<Change> changes = run.changes(slow.get(0).worker());
    if (form.equals(JSON)) {
      out.println(json(run, slow, changes));
    } else {
      print(run, slow, changes, out);
    }
    out.flush();
    return 0;
  }

  private static String json(WhatIf run, List<Slow> slow, List<Change> changes) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("recorded", run.recorded);
    all.put("predicted", run.predicted);
    all.put("ideal", run.ideal);
    all.put("slowdown", run.slowdown());
    all.put("workers", slow);
    all.put("changes", changes);
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all);
  }

  private static void print(WhatIf run, List<Slow> slow, List<Change> changes, PrintStream out) {
    int width = TerminalDevice.width();
    out.println(
        format(
            "recorded %s s a step, predicted %s (%+.1f %%)",
            number(run.recorded.secondsPerStep()),
            number(run.predicted.secondsPerStep()),
            PERCENT * (run.predicted.secondsPerStep() / run.recorded.secondsPerStep() - 1)));
    out.println(
        format(
            "slowdown %.2f: %s examples/s, %s if every batch took the median",
            run.slowdown(),
            number(run.predicted.examplesPerSecond()),
            number(run.ideal.examplesPerSecond())));
    out.println();
    if (run.slowdown() > NOTHING) {
      List<Slow> shown =
          slow.stream().filter(each -> each.share() >= WORTH).limit(MAX_ROWS).toList();
      out.print(new TextTable<>(WORKERS, shown).text(width));
      out.println();
    }
    double now = run.predicted.examplesPerSecond();
    List<Column<Change>> columns =
        List.of(
            new Column<>("change", 90, true, Change::what),
            new Column<>("examples/s", 80, false, c -> of(c, Speed::examplesPerSecond)),
            new Column<>(
                "times",
                "as fast",
                85,
                false,
                c -> of(c, speed -> speed.examplesPerSecond() / now)),
            new Column<>("s/step", 70, false, c -> of(c, Speed::secondsPerStep)));
    out.print(new TextTable<>(columns, changes).text(width));
    changes.stream()
        .filter(change -> change.problem() != null)
        .forEach(change -> out.println(change.what() + ": " + change.problem()));
    out.println("Speeds alone: what a scheme learns from an example differs (amb schemes NAME).");
  }

  private static String of(Change change, Function<Speed, Double> value) {
    return change.speed() == null ? "–" : number(value.apply(change.speed()));
  }

  @Override
  public Options options() {
    return Arguments.options("format F  table or json. Default: table.\n");
  }
}
