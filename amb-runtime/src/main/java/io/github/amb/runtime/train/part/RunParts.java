package io.github.amb.runtime.train.part;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.schedule.Schedule;
import io.github.amb.core.schedule.ScheduleOptions;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.topology.Topology;
import io.github.amb.models.data.Augmentation;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.SmoothedLabels;
import io.github.amb.models.data.Validation;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.config.CampaignFile;
import io.github.amb.runtime.config.DerivedValues;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.fault.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * The parts of a run, made from its settings.
 *
 * @param settings every option's value, including derived defaults
 * @param data the data set, read and checked; with {@code --validation} its test examples are the
 *     validation part
 * @param testPart then the test part; else null
 * @param network the network; null if none is needed
 * @param scheme the scheme
 * @param schedule the learning rate
 * @param codings how vectors are encoded for messages
 * @param delays distribution of induced delays
 * @param stop decides when training is complete
 * @param streams the run's random streams
 */
public record RunParts(
    Settings settings,
    DataSet data,
    Examples testPart,
    NetworkDefinition network,
    Scheme scheme,
    Schedule schedule,
    Codings codings,
    DelayModel delays,
    StopRule stop,
    Streams streams) {
  /** Most numbers of examples of a class at a worker that {@code run.json} has. */
  private static final int MAX_SHARE_COUNTS = 1000;

  /** Bytes of records per step: the master's, and those of one worker. */
  private static final long MASTER_BYTES = 450;

  private static final long WORKER_BYTES = 320;
  private static final double GIGABYTE = 1e9;
  private static final double MUCH = 2 * GIGABYTE;

  /**
   * Checks the settings, reads the data and makes the parts.
   *
   * @throws UsageException with all problems
   */
  public static RunParts of(Settings settings) {
    return of(settings, RunInput.NONE, List.of());
  }

  /**
   * Checks the settings, reads the data and makes the parts.
   *
   * @param input parts that a program gives as objects, in place of those that settings name
   * @param found problems that were found before
   * @throws UsageException with all problems
   */
  public static RunParts of(Settings settings, RunInput input, List<String> found) {
    List<String> problems = new ArrayList<>(found);
    if (isIncomplete(settings, problems)) {
      throw new UsageException(problems);
    }
    Scheme scheme = collect(problems, settings, SCHEME, () -> scheme(settings, input));
    Double rate =
        collect(problems, settings, UPDATE_RULE, () -> DerivedValues.learningRate(settings));
    double checked = rate == null ? 1 : rate;
    Schedule schedule =
        collect(problems, settings, LRATE_SCHEDULE, () -> schedule(settings, checked));
    Codings codings = collect(problems, settings, CODEC, () -> CodecChoice.codings(settings));
    if (scheme != null && codings != null) {
      problems.addAll(
          codings.problems(settings.get(SCHEME), scheme.uplink(), scheme.needsExactParameters()));
      problems.addAll(
          Topology.named(settings.get(TOPOLOGY))
              .problems(settings.get(SCHEME), scheme, codings.uplink()));
    }
    if (rate != null) {
      collect(problems, settings, UPDATE_RULE, () -> checkRule(settings, scheme, codings));
    }
    DelayModel delays = collect(problems, settings, INDUCE, () -> delays(settings));
    SimulationChecks.check(settings, problems);
    if (settings.has(REPLAY) && scheme != null) {
      problems.addAll(ReplayOptions.problems(settings, scheme));
    }
    if (scheme != null && scheme.fragments() > 1 && settings.get(GRADIENTS).equals(NONE)) {
      problems.add(
          "--gradients none: expected one fragment, as vectors are not cut, found %d"
              .formatted(scheme.fragments()));
    }
    checkEnd(settings, problems);
    if (schedule != null && schedule.patience() > 0 && settings.get(EVALUATE).equals("last")) {
      problems.add("--lrate-schedule: expected one without tests, as --evaluate is last");
    }
    collect(problems, settings, DEVICE, () -> GpuPlan.of(settings));
    if (settings.get(REPRODUCIBLE).equals(AVX2) && !settings.isDefault(DEVICE)) {
      problems.add("--reproducible: expected --device cpu, found " + settings.get(DEVICE));
    }
    if (settings.get(PRECISION).equals(BF16)) {
      RunNetwork.bf16Obstacle(settings).ifPresent(problems::add);
    }
    String shards = settings.get(SHARDS);
    boolean byClass = settings.isDefault(SHARDS) || shards.equals(Sharding.BY_CLASS.toString());
    if (settings.get(SPLIT_BY_CLASS) != 0 && !byClass) {
      problems.add("--split-by-class 1: expected --shards by-class, found " + shards);
    }
    collect(problems, settings, INJECT, () -> faults(settings));
    DataSet read =
        readsData(settings)
            ? collect(problems, settings, DATA_SET, () -> data(settings, input))
            : null;
    DataSet data =
        read == null ? null : collect(problems, settings, VALIDATION, () -> parts(settings, read));
    NetworkDefinition network =
        collect(problems, settings, NETWORK, () -> network(settings, input, data));
    int workers = settings.get(WORKERS);
    if (data != null && workers > data.train().count()) {
      problems.add(
          "--workers: expected at most one per training example (%d), found %d"
              .formatted(data.train().count(), workers));
    }
    if (data != null && data.text() != null && settings.has(TARGET_ACCURACY)) {
      problems.add("--target-accuracy: expected --target-loss, as a text is not classified");
    }
    UsageException.expectNone(problems);
    return new RunParts(
            complete(settings, network == null ? null : network.name(), rate),
            data,
            read == null || settings.get(VALIDATION) == 0 ? null : read.test(),
            network,
            scheme,
            schedule,
            codings.where(scheme.uplink()).inFragments(scheme.fragments()),
            delays,
            settings.has(REPLAY) ? ReplayOptions.stopRule(settings) : stopRule(settings),
            new Streams(settings.get(SEED)))
        .withKnownPrecision();
  }

  /**
   * Whether the data set's files are needed; a simulation of timing alone at given costs needs
   * none.
   */
  public static boolean readsData(Settings settings) {
    boolean none = settings.get(GRADIENTS).equals(NONE);
    return !none || Calibration.kind(settings).equals(MEASURED);
  }

  /** The minimum number of workers: {@code --min-workers}, or more if the scheme needs more. */
  public int minWorkers() {
    return Math.max(scheme.minWorkers(settings.get(WORKERS)), settings.get(MIN_WORKERS));
  }

  /** Whether the ranks run on the virtual cluster. */
  public boolean simulated() {
    return settings.get(ENGINE).equals(SIM);
  }

  /** Whether the site's own MPI starts the ranks. */
  public boolean siteMpi() {
    return settings.get(ENGINE).equals(OPENMPI) && settings.get(WORKERS) > 0;
  }

  /** Size of the training set; that of a data set that is not read is known by its name. */
  public int trainingExamples() {
    return data == null
        ? DataSets.definition(settings.get(DATA_SET)).trainingExamples()
        : data.train().count();
  }

  /** Whether no gradients are computed. */
  public boolean timingOnly() {
    return settings.get(GRADIENTS).equals(NONE);
  }

  /** How vectors are encoded for messages; not at all where short ones stand for them. */
  public Codings wire() {
    return timingOnly() ? Codings.NONE : codings;
  }

  /**
   * Remarks about an unusual number of examples, and what of a network's file is not used, one line
   * each.
   */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (data != null) {
      remarks.addAll(data.remarks(settings.get(BATCH_SIZE)));
      String unused = timingOnly() ? "" : Networks.note(network, options(), data.form());
      remarks.addAll(unused.isEmpty() ? List.of() : List.of(unused));
    }
    long bytes = stop().lastStep() * (MASTER_BYTES + WORKER_BYTES * settings.get(WORKERS));
    if (bytes > MUCH) {
      remarks.add(
          "the records of %d steps will take about %d GB of the disk"
              .formatted(stop().lastStep(), Math.round(bytes / GIGABYTE)));
    }
    return remarks;
  }

  /** The network with its data; the caller closes it. */
  public GradientSource open() {
    holdInstructions();
    return Networks.open(network, options(), data, Precision.named(settings.get(PRECISION)));
  }

  /**
   * Writes the parameters that the run starts from: drawn ones, or those of {@code --init-from}.
   *
   * @param source the network
   * @param target modified
   * @throws UsageException if others are given that do not fit
   */
  public void initialize(GradientSource source, float[] target) {
    if (settings.has(INIT_FROM) && !settings.has(RESUME) && !timingOnly()) {
      StartParameters.copy(settings.get(INIT_FROM), source.layout(), target);
    } else {
      source.initialize(settings.get(SEED), target);
    }
  }

  /** The network in fp32 with the {@link #testPart} to test on; the caller closes it. */
  public GradientSource openTestPart() {
    holdInstructions();
    return Networks.open(network, options(), data.with(data.shape(), data.train(), testPart));
  }

  /**
   * The network with its data, computed on a GPU or another device; the caller closes it.
   *
   * @param rank which computes
   */
  public GradientSource openOnGpu(int rank) {
    return GpuPlan.of(settings).orElseThrow().open(rank, network, options(), data);
  }

  /**
   * Length of the flat parameter vector, including running statistics; {@link Origin#UNKNOWN} if no
   * gradients are computed.
   */
  public long parameters() {
    return timingOnly() ? Origin.UNKNOWN : Networks.parameters(network, options(), data.form());
  }

  /**
   * The network and the form of the examples that it is built for, which all ranks must share and
   * {@code run.json} has; empty if no gradients are computed.
   */
  public Map<String, String> describeNetwork() {
    return timingOnly() ? Map.of() : RunNetwork.describe(network, options(), data.form());
  }

  /**
   * What the reader of the examples noted, and the number of examples of each class by worker if
   * they are no turns of one sequence, for {@code run.json}; empty if that is nothing.
   */
  public Map<String, String> describeExamples() {
    Map<String, String> facts = new HashMap<>();
    if (data != null && !data.note().isEmpty()) {
      facts.put("data_note", data.note());
    }
    int workers = settings.get(WORKERS);
    boolean classified =
        data != null
            && data.text() == null
            && data.targets() == Targets.CLASS
            && data.classes() > 1;
    if (classified
        && workers > 0
        && !sharding().equals(Sharding.SHARED)
        && workers * (long) data.classes() <= MAX_SHARE_COUNTS) {
      int[][] counts =
          sharding()
              .counts(streams, data.train().count(), data.train()::label, workers, data.classes());
      facts.put(RunInfo.CLASSES_OF_WORKERS, Arrays.deepToString(counts));
    }
    return facts;
  }

  private Sharding sharding() {
    boolean byClass = settings.get(SPLIT_BY_CLASS) != 0;
    return byClass ? Sharding.BY_CLASS : Sharding.named(settings.get(SHARDS));
  }

  /** The engine that computes gradients, and its native code; empty if none are computed. */
  public Map<String, String> describeEngine() {
    holdInstructions();
    return timingOnly() ? Map.of() : Networks.describeEngine(network, options(), data);
  }

  private void holdInstructions() {
    if (!timingOnly() && settings.get(REPRODUCIBLE).equals(AVX2)) {
      Networks.holdInstructions(network, options(), data);
    }
    checkPrecision();
  }

  /**
   * Checks that this process can compute in the run's precision.
   *
   * @throws UsageException if it cannot
   */
  public void checkPrecision() {
    if (settings.get(PRECISION).equals(BF16)) {
      UsageException.expectNone(bf16Obstacle().stream().toList());
    }
  }

  private RunParts withKnownPrecision() {
    return settings.get(PRECISION).equals(AUTO)
        ? with(settings.with(PRECISION, bf16Obstacle().isEmpty() ? BF16 : FP32))
        : this;
  }

  private Optional<String> bf16Obstacle() {
    return RunNetwork.bf16Obstacle(settings)
        .or(() -> Networks.bf16Obstacle(network, options(), data));
  }

  /** The chosen options of the network. */
  public NetworkOptions options() {
    return RunNetwork.options(settings);
  }

  /**
   * The first worker's order of training examples.
   *
   * @param examples number of training examples
   * @param workers number of workers
   */
  public ExampleOrder order(int examples, int workers) {
    IntUnaryOperator labels = data == null ? example -> 0 : data.train()::label;
    return sharding().order(streams, examples, labels, workers);
  }

  /** This run with changed settings that none of its other parts depend on. */
  public RunParts with(Settings changed) {
    return new RunParts(
        changed, data, testPart, network, scheme, schedule, codings, delays, stop, streams);
  }

  /** This run with another codec of gradients. */
  RunParts withCodec(String codec) {
    Settings changed = settings.with(CODEC, codec);
    Codings others =
        CodecChoice.codings(changed).where(scheme.uplink()).inFragments(scheme.fragments());
    return new RunParts(
        changed, data, testPart, network, scheme, schedule, others, delays, stop, streams);
  }

  /** Finds limits of the run that cannot be kept. */
  private static void checkEnd(Settings settings, List<String> problems) {
    for (Setting<?> target : List.of(TARGET_ACCURACY, TARGET_LOSS, PATIENCE)) {
      if (settings.has(target) && settings.get(EVALUATE).equals("last")) {
        problems.add(
            "--%s: expected --evaluate background or blocking, found last, which tests only after the end"
                .formatted(target.name()));
      }
    }
    // A file may have 0 because all values are in it.
    boolean typed = settings.has(LAST_STEP) && settings.place(LAST_STEP).isEmpty();
    if (typed
        && settings.get(LAST_STEP) == 0
        && !settings.has(MAX_EPOCHS)
        && DerivedValues.isEndless(settings)) {
      problems.add(
          "--last-step: expected 1 or more, found 0; for no limit of steps give another limit, or"
              + " --max-epochs inf");
    }
    int workers = settings.get(WORKERS);
    if (workers == 0 && settings.has(BUDGET) && settings.get(BUDGET).startsWith("bytes")) {
      problems.add("--budget: expected workers, to which bytes are sent, found none");
    }
    boolean sliced = settings.get(TOPOLOGY).equals(Topology.SLICED.toString());
    if (sliced && workers == 0) {
      problems.add("--topology sliced: expected workers, to which slices are sent, found none");
    } else if (sliced && settings.get(NON_FINITE).equals(DROP)) {
      problems.add(
          "--topology sliced: expected --non-finite halt, as the master does not see the gradient of each worker, found drop");
    }
    if (workers > 0 && settings.get(MIN_WORKERS) > workers) {
      problems.add(
          "--min-workers: expected at most --workers %d, found %d"
              .formatted(workers, settings.get(MIN_WORKERS)));
    }
  }

  private static boolean isIncomplete(Settings settings, List<String> problems) {
    for (Setting<?> setting : POSITIONAL) {
      if (settings.get(setting) == null) {
        problems.add(
            "expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found no %s; see amb train --help"
                .formatted(setting.name().replace('-', ' ')));
        return true;
      }
    }
    return false;
  }

  /**
   * Makes a part and collects its problems.
   *
   * @param problems receives one line per problem
   * @param decisive the option that selects the part; its place in a file is named in problems
   */
  private static <T> T collect(
      List<String> problems, Settings settings, Setting<?> decisive, Supplier<T> part) {
    try {
      return part.get();
    } catch (UsageException e) {
      String place = settings.place(decisive);
      String prefix = place.isEmpty() ? "" : place + ": ";
      e.getMessage().lines().forEach(line -> problems.add(prefix + line));
      return null;
    }
  }

  private static Scheme scheme(Settings settings, RunInput input) {
    if (input.scheme() != null) {
      return input.scheme();
    }
    return Schemes.named(settings.get(SCHEME))
        .create(
            new SchemeOptions(
                settings.get(BATCH_SIZE),
                settings.get(WORKERS),
                settings.values(Schemes.ALL.options())));
  }

  private static Schedule schedule(Settings settings, double learningRate) {
    return Schedules.create(
        settings.get(LRATE_SCHEDULE),
        new ScheduleOptions(
            learningRate, settings.get(LAST_STEP), settings.values(Schedules.options())));
  }

  private static Void checkRule(Settings settings, Scheme scheme, Codings codings) {
    RuleParts.check(settings, scheme, codings);
    return null;
  }

  private static DelayModel delays(Settings settings) {
    return DelayModels.named(settings.get(INDUCE)).scaled(settings.get(INDUCE_SCALE));
  }

  private static DataSet data(Settings settings, RunInput input) {
    return input.data() == null
        ? DataSets.load(settings.get(DATA_SET), dataDir(settings), settings.get(SEED))
        : input.data().get();
  }

  private static DataSet parts(Settings settings, DataSet read) {
    DataSet data = Validation.of(read, settings.get(VALIDATION), settings.get(SEED));
    return SmoothedLabels.of(
        Augmentation.named(settings.get(AUGMENT)).of(data),
        settings.get(LABEL_SMOOTHING),
        settings.get(CLASS_WEIGHTS));
  }

  /** The faults to inject. What the records of a replayed run have is not injected again. */
  public List<Fault> faults() {
    boolean replay = settings.has(REPLAY);
    return faults(settings).stream().filter(fault -> !replay || !fault.isRecorded()).toList();
  }

  private static List<Fault> faults(Settings settings) {
    return settings.has(INJECT)
        ? CampaignFile.faults(
            settings.get(INJECT),
            settings.get(SEED),
            settings.get(WORKERS),
            settings.get(LAST_STEP))
        : List.of();
  }

  /** The data directory, or null if none is set. */
  public static Path dataDir(Settings settings) {
    return settings.has(DATA_DIR) ? Path.of(settings.get(DATA_DIR)) : null;
  }

  /**
   * The chosen network; null if none is chosen and none is needed.
   *
   * @param data the training data; null if they could not be read, then only the name is checked
   */
  private static NetworkDefinition network(Settings settings, RunInput input, DataSet data) {
    NetworkOptions options = RunNetwork.options(settings);
    NetworkDefinition network = chosen(settings, input, data);
    if (network == null) {
      return null;
    }
    Networks.checkOptions(network, options);
    if (data != null) {
      Networks.check(network, data);
      if (GpuPlan.isOpenCl(settings)) {
        Networks.checkDevice(network, options, data);
      } else if (!GpuPlan.ofMaster(settings)) {
        Networks.checkNatives(network, options, data);
      }
    }
    return network;
  }

  private static NetworkDefinition chosen(Settings settings, RunInput input, DataSet data) {
    if (input.network() != null) {
      return NetworkDefinition.ofJson(RunInput.NETWORK, input.network());
    }
    String name = settings.get(NETWORK);
    boolean needed = data != null || !readsData(settings) && !settings.has(PARAMETERS);
    if (name == null && !needed) {
      return null;
    }
    return Networks.named(DerivedValues.network(settings));
  }

  private static Settings complete(Settings settings, String network, double rate) {
    Settings complete =
        settings.with(LEARNING_RATE, rate).with(MAX_EPOCHS, DerivedValues.maxEpochs(settings));
    if (network != null) {
      complete = complete.with(NETWORK, network);
    }
    if (!settings.has(CHECKPOINT_EVERY)) {
      boolean simulated = settings.get(ENGINE).equals(SIM);
      complete = complete.with(CHECKPOINT_EVERY, simulated ? "last" : "60s");
    }
    return settings.get(ENGINE).equals(SIM) ? completeSimulation(complete) : complete;
  }

  private static Settings completeSimulation(Settings settings) {
    Settings complete = settings.with(COST, Calibration.kind(settings));
    return settings.get(GRADIENTS).equals(REAL)
        ? complete
        : complete.with(PARAMETERS, DerivedValues.parameters(settings));
  }

  private static StopRule stopRule(Settings settings) {
    return new StopRule(
        settings.get(LAST_STEP),
        DerivedValues.maxEpochs(settings),
        settings.get(MAX_TIME),
        settings.has(TARGET_ACCURACY) ? settings.get(TARGET_ACCURACY) : StopRule.NO_TARGET,
        settings.has(TARGET_LOSS) ? settings.get(TARGET_LOSS) : Double.NaN,
        settings.has(PATIENCE) ? settings.get(PATIENCE) : 0,
        settings.has(BUDGET) ? Budget.parse(settings.get(BUDGET)) : Budget.NONE);
  }
}
