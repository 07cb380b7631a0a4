package io.github.amb.runtime.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.statistic.PairedEstimate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The tables that pages have of experiments: made of their files and of their runs' numbers. */
final class ResultPages {
  static final Path ROOT = Path.of("..");
  static final Path RESULTS = ROOT.resolve("docs/results/experiments");
  static final Path ARCHIVES = ROOT.resolve("docs/results/runs");
  static final Path CLAIMS = ROOT.resolve("docs/results/README.md");
  static final String CLAIMS_MARK = "<!-- claims of experiments -->";

  /** Fewer have no interval. */
  private static final int FEWEST_SEEDS = 3;

  private static final double PERCENT = 100;

  private ResultPages() {}

  /** The line before the table of an experiment's settings. */
  static String mark(String name) {
    return "<!-- settings of " + name + " -->";
  }

  /** The names of the experiments that ship. */
  static List<String> names() {
    try (Stream<Path> files = Files.list(ROOT.resolve("experiments"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".yaml", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Experiment experiment(String name) {
    return experiment(name, false);
  }

  static Experiment experiment(String name, boolean quick) {
    return ExperimentFile.read(ROOT.resolve("experiments/" + name + ".yaml"), quick, null);
  }

  static List<String> settings(String name) {
    return VariantTable.of(experiment(name)).toString().lines().toList();
  }

  /** The page with an experiment's settings. */
  static Path page(String name) {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      return files
          .filter(file -> file.toString().endsWith(".md") && lines(file).contains(mark(name)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("expected a page with the line " + mark(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> lines(Path page) {
    try {
      return Files.readAllLines(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The table that follows a line of a page. */
  static List<String> tableAfter(Path page, String mark) {
    List<String> lines = lines(page);
    return lines.stream()
        .skip(lines.indexOf(mark) + 2L)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  /** The text below an experiment's settings, up to the next heading. */
  static String section(String name) {
    List<String> lines = lines(page(name));
    return lines.stream()
        .skip(lines.indexOf(mark(name)))
        .takeWhile(line -> !line.startsWith("#"))
        .collect(Collectors.joining("\n"));
  }

  /** Replaces the table that follows a line of a page. */
  static void write(Path page, String mark, List<String> table) {
    List<String> lines = new ArrayList<>(lines(page));
    int begin = lines.indexOf(mark) + 2;
    lines.subList(begin, begin + tableAfter(page, mark).size()).clear();
    if (begin < lines.size() && !lines.get(begin).isEmpty()) {
      lines.add(begin, "");
    }
    lines.addAll(begin, table);
    try {
      Files.writeString(page, String.join("\n", lines) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The claims that the numbers in {@link #RESULTS} support, a row each. */
  static List<String> claims() {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "claim",
                "command",
                "found, 95 %",
                "seeds",
                "`--check`",
                "authors",
                "duration",
                "processor"));
    for (String name : names()) {
      Path numbers = RESULTS.resolve(name + ".csv");
      if (Files.exists(numbers)) {
        Experiment experiment = experiment(name);
        ExperimentResults results = results(experiment, lines(numbers));
        for (NumericClaim claim : experiment.claims()) {
          row(table, experiment, claim, results.of(claim));
        }
      }
    }
    return table.toString().lines().toList();
  }

  private static void row(
      MarkdownTable table, Experiment experiment, NumericClaim claim, PairedEstimate found) {
    if (found.seeds() < FEWEST_SEEDS) {
      return;
    }
    String says = claim.says().isEmpty() ? claim.of() + " of " + claim.variant() : claim.says();
    double mean = found.band().mean();
    String authors =
        Double.isNaN(claim.authors())
            ? "–"
            : String.format(
                Locale.ROOT,
                "%s (%+.1f %%)",
                Rounded.of(claim.authors()),
                PERCENT * (mean / claim.authors() - 1));
    table.row(
        List.of(
            says,
            "[`amb experiment %s`](%s)"
                .formatted(experiment.about().name(), link(experiment.about().name())),
            "%s%s (%s to %s)"
                .formatted(
                    Rounded.of(mean),
                    unit(experiment, claim),
                    Rounded.of(found.band().low()),
                    Rounded.of(found.band().high())),
            found.seeds() + " of " + experiment.seeds().size(),
            Rounded.of(claim.low()) + " to " + Rounded.of(claim.high()),
            authors.replace('-', '−'),
            experiment.about().minutes(),
            processor(experiment.about().name())));
  }

  /** What the runs were made on; a dash if their {@code run.json} are not kept. */
  private static String processor(String name) {
    Path record = RESULTS.resolve(name + ".json");
    if (Files.notExists(record)) {
      return "–";
    }
    try {
      JsonNode machine = new ObjectMapper().readTree(record.toFile()).get("made_with");
      return processor(machine)
          + ", "
          + StreamSupport.stream(machine.get("vector_instructions").spliterator(), false)
              .map(JsonNode::asText)
              .collect(Collectors.joining(" and "));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As pages name it, without signs of trade marks. */
  static String processor(JsonNode madeWith) {
    return madeWith.get("processor").get(0).asText().replaceAll("\\(R\\)| Processor", "");
  }

  private static String unit(Experiment experiment, NumericClaim claim) {
    Map<String, String> units =
        experiment.measures().stream()
            .collect(Collectors.toMap(RunMeasure::name, one -> one.of().unit()));
    for (PairedComparison comparison : experiment.comparisons()) {
      boolean difference = comparison.kind() == PairedComparison.Kind.DIFFERENCE;
      units.put(comparison.name(), difference ? "" : "times");
    }
    String unit = units.get(claim.of());
    return unit.isEmpty() ? "" : " " + unit;
  }

  /** The heading above an experiment's settings, as a link from {@link #CLAIMS}. */
  private static String link(String name) {
    Path page = page(name);
    List<String> lines = lines(page);
    String heading =
        lines.subList(0, lines.indexOf(mark(name))).stream()
            .filter(line -> line.startsWith("#"))
            .reduce((one, next) -> next)
            .orElseThrow()
            .replaceFirst("^#+\\s*", "");
    String slug = heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}\\s_-]", "").strip();
    return CLAIMS.getParent().relativize(page) + "#" + slug.replaceAll("\\s", "-");
  }

  /** Unpacks what {@code scripts/archive-runs} made; runs that it lacks are missing. */
  static List<ExperimentRun> unpack(Experiment experiment, Path archive, Path folder)
      throws IOException {
    try (ZipInputStream files = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry file = files.getNextEntry(); file != null; file = files.getNextEntry()) {
        Path target = folder.resolve(file.getName());
        Files.createDirectories(target.getParent());
        Files.copy(files, target);
      }
    }
    List<ExperimentRun> runs = new ArrayList<>();
    for (long seed : experiment.seeds()) {
      for (ExperimentVariant variant : experiment.variants()) {
        ExperimentRun run = ExperimentRun.of(variant, seed, Map.of(), Map.of(), folder);
        String name = run.directory().path().getFileName().toString();
        String withoutDigests = name.replaceFirst("-[^-]*-[^-]*$", "-");
        try (Stream<Path> files = Files.list(folder)) {
          Path path =
              files
                  .filter(file -> file.getFileName().toString().startsWith(withoutDigests))
                  .findFirst()
                  .orElse(run.directory().path());
          runs.add(new ExperimentRun(variant, run.settings(), new RunDirectory(path)));
        }
      }
    }
    return runs;
  }

  /** The numbers of a table that {@code amb experiment} wrote, a line per run. */
  static ExperimentResults results(Experiment experiment, List<String> csv) {
    ExperimentResults results = new ExperimentResults(experiment);
    List<String> head = Arrays.asList(csv.get(0).split(",", -1));
    Map<String, ExperimentVariant> variants =
        experiment.variants().stream()
            .collect(Collectors.toMap(ExperimentVariant::name, Function.identity()));
    int axes = head.indexOf("seed");
    for (String line : csv.subList(1, csv.size())) {
      String[] cells = line.split(",", -1);
      String name =
          IntStream.range(0, axes).mapToObj(i -> cells[i]).collect(Collectors.joining("/"));
      for (RunMeasure measure : experiment.measures()) {
        int column = head.indexOf(measure.name());
        if (column >= 0 && !cells[column].isEmpty()) {
          long seed = Long.parseLong(cells[axes]);
          results.put(measure, variants.get(name), seed, Double.parseDouble(cells[column]));
        }
      }
    }
    return results;
  }
}
