package io.github.amb.runtime.train.part;

import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.config.SimSettings.GRADIENTS;
import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Initialization;
import io.github.amb.models.dl4j.Loss;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import io.github.amb.models.network.Norm;
import io.github.amb.runtime.config.Settings;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The network of a recorded run, known from {@code run.json} alone.
 *
 * @param name name of the network or its file
 * @param options the chosen options
 * @param form shape of the examples and number of classes
 */
public record RunNetwork(String name, NetworkOptions options, ExampleForm form) {
  private static final String SHAPE = "example_shape";
  private static final String CLASSES = "classes";
  private static final int MAX = 1 << 24;

  /** The network and the form of its examples, for {@code run.json}. */
  public static Map<String, String> describe(
      NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    Map<String, String> facts = new TreeMap<>(Networks.describe(network, options, form));
    facts.put(SHAPE, form.shape().toString());
    String kind = form.targets() == Targets.CLASS ? "" : " " + form.targets();
    facts.put(CLASSES, form.classes() + kind);
    return facts;
  }

  /**
   * Checks that a network is a recorded run's. One of an older program may not say what it was.
   *
   * @param found what {@link RunParts#describeNetwork} says
   * @throws UsageException if it differs
   */
  public static void check(RunInfo run, Map<String, String> found) {
    for (Map.Entry<String, String> fact : found.entrySet()) {
      String expected = run.environment().getOrDefault(fact.getKey(), fact.getValue());
      if (!expected.equals(fact.getValue())) {
        throw new UsageException(
            "%s: expected the run's network, with %s %s, found %s; use the network file and data of the run",
            run.id(),
            fact.getKey(),
            Printable.printable(expected.replace('\n', ' ')),
            fact.getValue());
      }
    }
  }

  /**
   * The network of a recorded run. For a run of an older program that did not record the form of
   * its examples, the data are read.
   *
   * @throws UsageException if the run has no network, or if the data are needed and missing
   */
  public static RunNetwork of(RunInfo run) {
    String shape = run.environment().get(SHAPE);
    String classes = run.environment().get(CLASSES);
    if (shape == null || classes == null) {
      return read(run);
    }
    String name = required(run, "network");
    ExampleForm form = form(required(run, "data-set"), shape(shape), classes);
    check(run, describe(Networks.named(name), options(run), form));
    return new RunNetwork(name, options(run), form);
  }

  /**
   * The value of an option of a recorded run.
   *
   * @throws UsageException if it has none
   */
  public static String required(RunInfo run, String option) {
    String value = run.configured(option, null);
    if (value == null) {
      throw new UsageException("%s: expected run.json to name a %s, found none", run.id(), option);
    }
    return value;
  }

  static NetworkOptions options(Settings settings) {
    String init = settings.get(INIT);
    return new NetworkOptions(
        settings.has(NORM) ? Norm.named(settings.get(NORM)) : null,
        settings.get(BATCH_NORM_DECAY),
        settings.get(BATCH_NORM_EPSILON),
        init == null ? null : Initialization.parse(init),
        settings.has(LOSS) ? Loss.named(settings.get(LOSS)) : null);
  }

  /** Why no process can compute a run of these settings in bfloat16; empty if one can. */
  static Optional<String> bf16Obstacle(Settings settings) {
    return Stream.of(REPRODUCIBLE, DEVICE, GRADIENTS)
        .filter(option -> !settings.isDefault(option))
        .map(
            option ->
                "--precision bf16: expected --%s %s, found %s"
                    .formatted(option.name(), option.fallback(), settings.get(option)))
        .findFirst();
  }

  /** The network options of a recorded run, whose {@code run.json} has been checked. */
  public static NetworkOptions options(RunInfo run) {
    return options(Settings.of(run.configuration()));
  }

  private static ImageShape shape(String text) {
    try {
      ImageShape shape = ImageShape.parse(text);
      long features = (long) shape.channels() * shape.height();
      if (features > 0 && features * shape.width() <= MAX) {
        return shape;
      }
    } catch (IllegalArgumentException e) {
      // Not a shape.
    }
    throw new UsageException(
        "run.json: expected an %s of 1 to %d features, found '%s'", SHAPE, MAX, text);
  }

  private static ExampleForm form(String dataSet, ImageShape shape, String classes) {
    if (!classes.matches("[1-9]\\d{0,5}( labels| numbers)?")) {
      throw new UsageException("run.json: expected 1 to 999999 %s, found '%s'", CLASSES, classes);
    }
    String[] words = classes.split(" ");
    Targets targets =
        words.length == 1 ? Targets.CLASS : Targets.valueOf(words[1].toUpperCase(Locale.ROOT));
    return new ExampleForm(dataSet, shape, Integer.parseInt(words[0]), targets);
  }

  private static RunNetwork read(RunInfo run) {
    RunParts parts = RunParts.of(Settings.of(run.configuration()));
    DataSet data = parts.data();
    if (data == null) {
      throw new UsageException(
          run.id() + ": expected a run that trained a network, found one of --gradients none");
    }
    return new RunNetwork(parts.network().name(), parts.options(), data.form());
  }

  /** Length of the flat parameter vector, including running statistics. */
  public long parameters() {
    return Networks.parameters(Networks.named(name), options, form);
  }

  /**
   * The layers of the network.
   *
   * @throws UsageException if it has none
   */
  public Architecture architecture() {
    return Networks.architecture(Networks.named(name), options, form);
  }
}
