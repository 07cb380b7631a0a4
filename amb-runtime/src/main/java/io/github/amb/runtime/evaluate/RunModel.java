package io.github.amb.runtime.evaluate;

import static io.github.amb.runtime.config.TrainSettings.AVX2;
import static io.github.amb.runtime.config.TrainSettings.NONE;
import static io.github.amb.runtime.config.TrainSettings.REPRODUCIBLE;

import io.github.amb.core.file.Printable;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.data.Validation;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import io.github.amb.models.python.PythonCode;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.train.directory.RunIdentity;
import io.github.amb.runtime.train.part.InputChecksums;
import io.github.amb.runtime.train.part.RunNetwork;
import io.github.amb.runtime.train.part.RunOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The network of a run with its data. */
public final class RunModel implements AutoCloseable {
  private final RunInfo run;

  /** The data, as they were read. */
  final DataSet data;

  private final NetworkDefinition network;
  private final NetworkOptions options;
  private final GradientSource source;
  private final int[] examples;

  /** The origin that tested parameters must have. */
  final Origin origin;

  /**
   * Opens the network and data that {@code run.json} names.
   *
   * @param run description of the run
   * @param dataDir directory of the data; null for the recorded one
   * @param testSize number of test examples, the first ones; −1 for all
   * @throws UsageException if the run has no network, or the data cannot be read
   */
  RunModel(RunInfo run, String dataDir, int testSize) {
    this.run = run;
    if (run.configured("gradients", "real").equals("none")) {
      throw new UsageException(
          run.id() + ": expected a run that trained a network, found one of --gradients none");
    }
    for (String option : List.of("data-set", "network")) {
      PythonCode.check(run.id() + ": " + option, run.configured(option, null));
    }
    String recorded = dataDir == null ? run.configured("data-dir", null) : dataDir;
    Path directory = recorded == null ? null : Path.of(recorded);
    DataSetDefinition set = DataSets.definition(RunNetwork.required(run, "data-set"));
    Map<String, String> found = new HashMap<>(set.checksums(directory));
    String name = RunNetwork.required(run, "network");
    found.putAll(Networks.checksums(name));
    InputChecksums.expect(run.id(), run, found);
    double share = Decimal.real(run.configured(DataSettings.VALIDATION.name(), "0"));
    data = Validation.of(set.load(directory, run.seed()), share, run.seed());
    network = Networks.named(name);
    options = RunNetwork.options(run);
    RunNetwork.check(run, RunNetwork.describe(network, options, data.form()));
    if (run.configured(REPRODUCIBLE.name(), NONE).equals(AVX2)) {
      Networks.holdInstructions(network, options, data);
    }
    source = Networks.open(network, options, data);
    int all = source.testExamples();
    examples = IntStream.range(0, testSize < 0 ? all : Math.min(testSize, all)).toArray();
    origin = new Origin(source.layout().size(), RunIdentity.of(run));
  }

  /**
   * Opens the network and data of a run.
   *
   * @param path a run directory, or a checkpoint in it
   * @param dataDir directory of the data; null for the recorded one
   */
  public static RunModel of(Path path, String dataDir) throws IOException {
    return new RunModel(RunOptions.info("", EvaluateCommand.runAt(path)), dataDir, -1);
  }

  /** Whether each example has one class. */
  boolean classifies() {
    return data.targets() == Targets.CLASS;
  }

  /** Names of the outputs: the user's of classes, labels or numbers; else their numbers from 0. */
  public List<String> outputNames() {
    int count = engine().outputs();
    int classes = data.classes();
    return IntStream.range(0, count)
        .mapToObj(i -> className(count == 1 && classes == 2 ? 1 : i))
        .toList();
  }

  private String className(int label) {
    return data.classNames().isEmpty() ? Integer.toString(label) : data.classNames().get(label);
  }

  /** The class that a row of predictions stands for. */
  String classOf(float[] rows, int start) {
    return className(engine().decides(rows, start));
  }

  /** The network with other examples to test on; the caller closes it. */
  GradientSource open(Examples tested) {
    return Networks.open(network, options, data.with(data.shape(), data.train(), tested));
  }

  /** The training examples of each worker, of which a run in one process has one. */
  int[][] shards() {
    String name = run.configured(DataSettings.SHARDS.name(), Sharding.SHARED.toString());
    boolean byClass = run.configured(DataSettings.SPLIT_BY_CLASS.name(), "0").equals("1");
    Sharding sharding = byClass ? Sharding.BY_CLASS : Sharding.named(name);
    int workers = Math.max(1, Integer.parseInt(run.configured("workers", "1")));
    Examples train = data.train();
    return sharding.shards(new Streams(run.seed()), train.count(), train::label, workers);
  }

  /**
   * Loads parameters of the run into its network.
   *
   * @param path the run directory, of whose checkpoints the newest one counts that can be read; or
   *     one checkpoint
   * @param skipped receives what is wrong with a newer one
   * @return the network, which can be asked for outputs and predictions
   * @throws UsageException if no checkpoint can be read, or oneDNN does not compute the network
   */
  public GraphSource load(Path path, Consumer<String> skipped) throws IOException {
    GraphSource engine = engine();
    engine.use(parameters(path, skipped));
    return engine;
  }

  private float[] parameters(Path path, Consumer<String> skipped) throws IOException {
    RunDirectory run = new RunDirectory(path);
    if (!Files.exists(run.info())) {
      return SavedParameters.at(path).read(origin).values();
    }
    List<SavedParameters> saved = SavedParameters.of(run);
    for (int i = saved.size() - 1; i >= 0; i--) {
      try {
        return saved.get(i).read(origin).values();
      } catch (IOException e) {
        skipped.accept("skipped a checkpoint: " + Printable.printable(e.getMessage()));
      }
    }
    throw new UsageException(
        path
            + ": expected a checkpoint that can be read, found none; train with --checkpoint-every");
  }

  /** Number of test examples. */
  int testSize() {
    return examples.length;
  }

  /**
   * Tests parameters.
   *
   * @param parameters flat vector of the network; not modified
   */
  Evaluation evaluate(float[] parameters) {
    return source.evaluate(parameters, examples, 0, examples.length);
  }

  /** Further numbers of tested parameters, as {@link GradientSource#metrics} has them. */
  Map<String, Double> metrics(float[] parameters, Evaluation scores) {
    return source.metrics(parameters, scores);
  }

  /**
   * The network as oneDNN computes it.
   *
   * @throws UsageException if it does not
   */
  private GraphSource engine() {
    if (source instanceof GraphSource engine) {
      return engine;
    }
    throw new UsageException("expected a network that oneDNN computes, found " + network.name());
  }

  @Override
  public void close() {
    source.close();
  }
}
