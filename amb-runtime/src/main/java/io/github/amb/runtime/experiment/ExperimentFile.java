package io.github.amb.runtime.experiment;

import static io.github.amb.runtime.config.TrainSettings.BUDGET;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.config.ConfigFile;
import io.github.amb.runtime.config.PlacedValue;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.YamlSection;
import io.github.amb.runtime.plot.PlotCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/** Reads an experiment's file. Everything that is wrong with it is said at once. */
final class ExperimentFile {
  private static final String EXTENSION = ".yaml";
  private static final int MAX_SEEDS = 1000;
  private static final List<String> QUICK =
      List.of("options", "matrix", "seeds", "measures", "claims", "search");

  private static final String CHOICE = "choice";
  private static final List<String> RANGES =
      List.of("uniform", "log", "integer", "log-integer", CHOICE);

  private final List<String> problems;
  private final boolean isQuick;
  private final YamlSection top;

  /** The section {@code quick}; empty if the file has none. */
  private final YamlSection quick;

  private List<ExperimentVariant> variants;
  private List<Long> seeds;
  private List<RunMeasure> measures;

  private ExperimentFile(PlacedValue node, boolean isQuick, List<String> problems) {
    this.problems = problems;
    this.isQuick = isQuick;
    top = new YamlSection(node, "", problems);
    quick = top.section("quick");
    // Keys of both are known, whichever of them applies.
    QUICK.forEach(quick::get);
    QUICK.forEach(top::get);
  }

  /**
   * Reads a file.
   *
   * @param quick whether its section {@code quick} applies
   * @param budget in the place of the file's; null for none
   * @throws UsageException naming file and line of all that is wrong
   */
  static Experiment read(Path file, boolean quick, String budget) {
    List<String> problems = new ArrayList<>();
    String name = file.getFileName().toString();
    name = name.endsWith(EXTENSION) ? name.substring(0, name.length() - EXTENSION.length()) : name;
    Experiment experiment = new ExperimentFile(yaml(file), quick, problems).read(name, budget);
    UsageException.expectNone(problems.stream().distinct().toList());
    return experiment;
  }

  private static PlacedValue yaml(Path file) {
    try {
      byte[] content = BoundedFile.readNamed(file, "an experiment", DataLimits.CONFIG_BYTES);
      return PlacedValue.ofYaml(file.toString(), content, "'key: value' lines");
    } catch (IOException e) {
      throw new UsageException(FileFailure.text(e));
    }
  }

  private Experiment read(String name, String otherBudget) {
    Experiment.About about =
        new Experiment.About(
            name, top.required("description"), top.text("source", ""), top.text("minutes", ""));
    String heap = heap();
    variants = variants();
    seeds = seeds(isQuick && quick.get("seeds") != null ? quick : top, "seeds");
    measures = measures();
    List<PairedComparison> comparisons = new ArrayList<>();
    top.fields("comparisons").forEach((key, node) -> comparisons.add(comparison(key, node)));
    List<NumericClaim> claims = claims(comparisons);
    List<ClaimedOrder> orders = orders(comparisons);
    List<ExperimentFigure> figures = figures();
    Budget budget = budget(otherBudget);
    ExperimentSearch.Plan search = search(budget);
    top.end();
    quick.end();
    return new Experiment(
        about,
        heap,
        variants,
        seeds,
        measures,
        comparisons,
        claims,
        orders,
        figures,
        budget,
        search);
  }

  private String heap() {
    String heap = top.text("heap", "1g");
    if (!heap.matches("[1-9]\\d{0,6}[mg]")) {
      problems.add(
          top.get("heap").place() + ": heap: expected as 4g or 800m, found '" + heap + "'");
    }
    return heap;
  }

  // Variants.

  /** The product of the axes; quick options win over all others but the file's budget. */
  private List<ExperimentVariant> variants() {
    Budget budget = budget(null);
    Settings own = budget.isLimit() ? Settings.NONE.with(BUDGET, budget) : Settings.NONE;
    Settings last = isQuick ? own.over(options(quick.fields("options"))) : own;
    List<ExperimentVariant> all =
        List.of(new ExperimentVariant(Map.of(), options(top.fields("options"))));
    Map<String, PlacedValue> kept = isQuick ? quick.fields("matrix") : Map.of();
    Map<String, PlacedValue> axes = top.fields("matrix");
    kept.forEach((axis, node) -> known(axis, axes.keySet(), "axis", node.place()));
    for (Map.Entry<String, PlacedValue> axis : axes.entrySet()) {
      String name = axis.getKey();
      Map<String, Settings> points = points(name, axis.getValue());
      keep(points, kept.get(name));
      List<ExperimentVariant> product = new ArrayList<>();
      for (ExperimentVariant variant : all) {
        points.forEach((point, options) -> product.add(variant.at(name, point, options)));
      }
      all = points.isEmpty() ? all : product;
    }
    if (axes.isEmpty() && top.get("search") == null) {
      problems.add("matrix: expected an axis with a point or more, or a search, found none");
    }
    return all.stream()
        .map(variant -> new ExperimentVariant(variant.points(), last.over(variant.settings())))
        .toList();
  }

  private void keep(Map<String, Settings> points, PlacedValue kept) {
    if (kept == null) {
      return;
    }
    String list = Objects.toString(kept.option(), "");
    List<String> names = Arrays.asList(list.split(","));
    names.forEach(name -> known(name, points.keySet(), "point", kept.place()));
    points.keySet().retainAll(names);
  }

  /** Named points with options each, or values of the option that the axis is named after. */
  private Map<String, Settings> points(String axis, PlacedValue node) {
    Map<String, Settings> points = new LinkedHashMap<>();
    node.each(
        (point, given) -> {
          if (given.fields() == null) {
            problems.add(
                "%s: %s: expected 'option: value' lines, found %s"
                    .formatted(given.place(), point, given.describe()));
          }
          points.put(point, options(given.fields() == null ? Map.of() : given.fields()));
        });
    for (PlacedValue item : node.items() == null ? List.<PlacedValue>of() : node.items()) {
      points.put(String.valueOf(item.option()), options(Map.of(axis, item)));
    }
    if (points.isEmpty()) {
      problems.add(
          "%s: %s: expected named points or a list of values, found %s"
              .formatted(node.place(), axis, node.describe()));
    }
    return points;
  }

  private Settings options(Map<String, PlacedValue> fields) {
    return ConfigFile.options(fields, problems);
  }

  /** A list of seeds, or {@code 1..10}. */
  private List<Long> seeds(YamlSection section, String key) {
    PlacedValue node = section.get(key);
    if (node == null) {
      return List.of(1L);
    }
    String text = Objects.toString(node.option(), "");
    if (text.matches("\\d{1,9}\\.\\.\\d{1,9}")) {
      String[] ends = text.split("\\.\\.");
      long first = Long.parseLong(ends[0]);
      long last = Long.parseLong(ends[1]);
      if (last - first >= MAX_SEEDS) {
        problems.add(
            "%s: %s: expected at most %d, found %d"
                .formatted(node.place(), key, MAX_SEEDS, last - first + 1));
        return List.of(first);
      }
      if (first <= last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
      }
    }
    List<String> items = Setting.items(text);
    if (items.stream().allMatch(item -> item.matches("\\d{1,9}"))) {
      return items.stream().map(Long::valueOf).distinct().toList();
    }
    problems.add(
        "%s: %s: expected numbers, as [1, 2, 3] or 1..10, found %s"
            .formatted(node.place(), key, node.describe()));
    return List.of(1L);
  }

  // What is made of the runs.

  private List<RunMeasure> measures() {
    Map<String, PlacedValue> all = new LinkedHashMap<>(top.fields("measures"));
    if (isQuick) {
      all.putAll(quick.fields("measures"));
    }
    List<RunMeasure> measures = new ArrayList<>();
    all.forEach((name, node) -> measures.add(measure(name, node)));
    if (measures.isEmpty()) {
      problems.add("measures: expected one or more, found none");
    }
    return measures;
  }

  private RunMeasure measure(String name, PlacedValue node) {
    YamlSection section = new YamlSection(node, name, problems);
    RunMeasure measure =
        new RunMeasure(
            name,
            section.one("of", null, List.of(RunQuantity.values())),
            section.number("accuracy", Double.NaN, 0),
            section.number("loss", Double.NaN, Double.NEGATIVE_INFINITY),
            section.text("metric", ""),
            section.number("smooth", 1, 1),
            section.whole("window", 1, 1),
            section.whole("after-step", 0, 0),
            section.whole("to-step", 0, 1),
            section.word("interpolate", "false", List.of("false", "true")).equals("true"));
    if (measure.toStep() > 0 && measure.afterStep() >= measure.toStep()) {
      problems.add(
          "%s: %s: expected after-step below to-step, found %d and %d"
              .formatted(node.place(), name, measure.afterStep(), measure.toStep()));
    }
    section.end();
    return measure;
  }

  private PairedComparison comparison(String name, PlacedValue node) {
    YamlSection section = new YamlSection(node, name, problems);
    List<String> names = measures.stream().map(RunMeasure::name).toList();
    String measure = section.word("measure", null, names);
    List<String> axes = variants.stream().flatMap(v -> v.points().keySet().stream()).toList();
    String axis = section.word("axis", null, distinct(axes));
    List<String> points =
        variants.stream().map(v -> v.points().getOrDefault(axis, "")).distinct().toList();
    List<Long> chosenWith =
        section.get("choose-with") == null ? List.of() : seeds(section, "choose-with");
    if (!isQuick && !(seeds.containsAll(chosenWith) && chosenWith.size() < seeds.size())) {
      problems.add(
          "%s: choose-with: expected some of the seeds %s, but not all, found %s"
              .formatted(node.place(), seeds, chosenWith));
    }
    PairedComparison comparison =
        new PairedComparison(
            name,
            measure(measure),
            axis,
            section.word("baseline", null, points),
            section.get("best") == null ? "" : section.word("best", null, distinct(axes)),
            isQuick ? List.of() : chosenWith,
            section.one(
                "as", PairedComparison.Kind.SPEED_UP, List.of(PairedComparison.Kind.values())));
    section.end();
    return comparison;
  }

  // What is searched for.

  /** The search of the file or of its short form; null if it has none. */
  private ExperimentSearch.Plan search(Budget budget) {
    YamlSection given = isQuick && quick.get("search") != null ? quick : top;
    PlacedValue node = given.get("search");
    if (node == null) {
      return null;
    }
    YamlSection section = given.section("search");
    boolean estimates = section.word("by", "tpe", List.of("random", "tpe")).equals("tpe");
    int trials = (int) section.whole("runs", 20, 1);
    int batch = (int) section.whole("batch", estimates ? 5 : trials, 1);
    String of = section.word("of", null, measures.stream().map(RunMeasure::name).toList());
    boolean first = section.get("seeds") == null || isQuick && given == top;
    List<Long> judging = first ? seeds.subList(0, 1) : seeds(section, "seeds");
    if (!seeds.containsAll(judging)) {
      section.problem("seeds", "expected some of the seeds %s, found %s".formatted(seeds, judging));
    }
    List<Parameter> space = new ArrayList<>();
    section.fields("space").forEach((name, range) -> space.add(parameter(name, range)));
    if (space.isEmpty()) {
      section.problem("space", "expected an option or more with a range, found none");
    }
    boolean halves = section.get("halving") != null;
    YamlSection halving = section.section("halving");
    double factor = halving.number("factor", 3, 1.1);
    double least = halving.number("from", Double.NaN, Double.MIN_VALUE);
    if (halves && !(budget.isLimit() && least <= budget.amount())) {
      halving.problem("from", "expected at most the budget of the file, which has to have one");
    }
    halving.end();
    Search search = new Search(estimates, trials, batch, section.whole("seed", 1, 0), space);
    section.end();
    return new ExperimentSearch.Plan(
        search, measure(of), judging, halves ? factor : 1, least, node.place());
  }

  /** A range as {@code {log: [1e-4, 1]}}, or choices. */
  private Parameter parameter(String name, PlacedValue node) {
    YamlSection section = new YamlSection(node, name, problems);
    List<String> kinds = RANGES.stream().filter(kind -> section.get(kind) != null).toList();
    String kind = kinds.isEmpty() ? CHOICE : kinds.get(0);
    List<PlacedValue> items = section.items(kind);
    items.forEach(item -> options(Map.of(name, item)));
    section.end();
    List<String> texts = items.stream().map(item -> String.valueOf(item.option())).toList();
    double[] ends = texts.stream().mapToDouble(text -> Decimal.any(text, Double.NaN)).toArray();
    boolean log = kind.startsWith("log");
    boolean whole = kind.endsWith("integer");
    boolean range =
        ends.length == 2
            && Double.isFinite(ends[1] - ends[0])
            && ends[0] < ends[1]
            && !(log && ends[0] <= 0)
            && !(whole && Arrays.stream(ends).anyMatch(end -> end != Math.rint(end)));
    boolean choice = kind.equals(CHOICE);
    if (kinds.size() != 1 || !(choice ? texts.size() > 1 : range)) {
      problems.add(
          "%s: %s: expected one of %s with its ends, or with two choices or more"
              .formatted(node.place(), name, RANGES));
    }
    return choice || !range
        ? new Parameter(name, false, false, 0, 1, texts)
        : new Parameter(name, log, whole, ends[0], ends[1], List.of());
  }

  private RunMeasure measure(String name) {
    return measures.stream().filter(m -> m.name().equals(name)).findFirst().orElse(null);
  }

  private static List<String> distinct(List<String> texts) {
    return texts.stream().distinct().toList();
  }

  /**
   * @param other in the place of the file's; null for none
   */
  private Budget budget(String other) {
    PlacedValue node = top.get("budget");
    String text = other != null || node == null ? other : String.valueOf(node.option());
    try {
      return text == null ? Budget.NONE : Budget.parse(text);
    } catch (UsageException e) {
      problems.add((other == null ? node.place() + ": " : "") + "budget: " + e.getMessage());
      return Budget.NONE;
    }
  }

  private List<ClaimedOrder> orders(List<PairedComparison> comparisons) {
    List<ClaimedOrder> orders = new ArrayList<>();
    List<String> names = comparisons.stream().map(PairedComparison::name).toList();
    List<PlacedValue> all = top.items("orders");
    for (PlacedValue node : isQuick ? List.<PlacedValue>of() : all) {
      YamlSection section = new YamlSection(node, "order", problems);
      int of = names.indexOf(section.word("of", null, names));
      List<String> shown = section.texts("variants");
      if (of >= 0) {
        String best = comparisons.get(of).best();
        List<String> known = variants.stream().map(v -> v.nameWithout(best)).toList();
        shown.forEach(name -> known(name, known, "variant of " + names.get(of), node.place()));
        orders.add(new ClaimedOrder(comparisons.get(of), shown, node.place()));
      }
      section.end();
    }
    return orders;
  }

  private List<NumericClaim> claims(List<PairedComparison> comparisons) {
    Map<String, List<String>> known = new LinkedHashMap<>();
    List<String> names = variants.stream().map(ExperimentVariant::name).toList();
    measures.forEach(measure -> known.put(measure.name(), names));
    for (PairedComparison comparison : comparisons) {
      known.put(
          comparison.name(),
          variants.stream()
              .filter(v -> !comparison.baseline().equals(v.points().get(comparison.axis())))
              .map(v -> v.nameWithout(comparison.best()))
              .distinct()
              .toList());
    }
    List<NumericClaim> claims = new ArrayList<>();
    (isQuick ? quick : top).items("claims").forEach(node -> claims.add(claim(node, known)));
    return claims;
  }

  private NumericClaim claim(PlacedValue node, Map<String, List<String>> known) {
    YamlSection section = new YamlSection(node, "claim", problems);
    String of = section.required("of");
    String variant = section.required("variant");
    known(of, known.keySet(), "measure or comparison", node.place());
    if (known.containsKey(of)) {
      known(variant, known.get(of), "variant of " + of, node.place());
    }
    NumericClaim claim =
        new NumericClaim(
            of,
            variant,
            section.text("says", ""),
            section.number("low", Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY),
            section.number("high", Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY),
            section.number("authors", Double.NaN, Double.NEGATIVE_INFINITY),
            node.place());
    if (claim.low() > claim.high()) {
      problems.add(
          "%s: expected low up to high, found %s and %s"
              .formatted(node.place(), claim.low(), claim.high()));
    }
    section.end();
    return claim;
  }

  private List<ExperimentFigure> figures() {
    List<String> names = variants.stream().map(ExperimentVariant::name).toList();
    FigureOptions allowed = new FigureOptions(new PlotCommand());
    List<ExperimentFigure> figures = new ArrayList<>();
    top.fields("figures")
        .forEach(
            (name, node) -> {
              if (!name.matches("(?!report$)[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
                problems.add(
                    "%s: figures: expected a name of letters, digits, '.', '_' and '-' that does not begin with a dot and is not report, found '%s'"
                        .formatted(node.place(), name));
              }
              YamlSection section = new YamlSection(node, name, problems);
              String panel = section.required("panel");
              allowed.checkPanel(panel, node.place(), problems);
              List<String> shown = section.texts("variants");
              if (!isQuick) {
                shown.forEach(variant -> known(variant, names, "variant", node.place()));
              }
              figures.add(
                  new ExperimentFigure(
                      name,
                      panel,
                      shown.stream().filter(names::contains).toList(),
                      allowed.words(section.fields("options"), problems)));
              section.end();
            });
    return figures;
  }

  private void known(String name, java.util.Collection<String> known, String what, String place) {
    if (!known.contains(name)) {
      problems.add(
          "%s: unknown %s '%s'%s".formatted(place, what, name, Suggestion.forName(name, known)));
    }
  }
}
