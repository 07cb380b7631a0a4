package io.github.amb.runtime.config;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Registry;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.update.DivergedException;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.Augmentation;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.dl4j.Distribution;
import io.github.amb.models.dl4j.Initialization;
import io.github.amb.models.network.Networks;
import io.github.amb.models.network.Norm;
import io.github.amb.runtime.checkpoint.CheckpointInterval;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.host.ListenAddress;
import io.github.amb.runtime.host.RemoteShell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The options of a training run. Adding one is one constant here and its place in a group. */
public final class TrainSettings {
  /** Values of {@link #ENGINE}. */
  public static final String MPJ = "mpj";

  public static final String OPENMPI = "openmpi";

  public static final String SIM = "sim";

  /** Values of {@link #GRADIENTS}. */
  public static final String REAL = "real";

  public static final String NONE = "none";

  /** Values of {@link #NON_FINITE}. */
  public static final String HALT = "halt";

  public static final String DROP = "drop";

  /** A value of {@link #SHARED_MEMORY}; the other one is {@link #NONE}. */
  public static final String HOST = "host";

  /** A value of {@link #REPRODUCIBLE}; the other one is {@link #NONE}. */
  public static final String AVX2 = "avx2";

  /** Values of {@link #RESUME_FROM}. */
  public static final String NEWEST = "newest";

  public static final String START = "start";

  /** Values of {@link #CUDA}, besides {@link #NONE}. */
  public static final String CPU_MASTER = "cpu_master";

  public static final String GPU_MASTER = "gpu_master";

  public static final String GPU_ALL = "gpu_all";

  /** Value of {@code --evaluator}. */
  public static final String PROCESS = "process";

  /** Values of {@link #COST}. */
  public static final String MEASURED = "measured";

  public static final String BLOCKING = "blocking";

  public static final String GIVEN = "given";

  public static final Setting<String> DATA_SET =
      named("data-set", null, DataSets.ALL)
          .in(
              among(DataSets.ALL.names())
                  + ", or a folder of images per class, a .csv or .npz file")
          .help("what to train on");
  public static final Setting<String> SCHEME =
      named("scheme", null, Schemes.ALL).help("who waits for whom, and when the master updates");
  public static final Setting<String> UPDATE_RULE =
      named("update-rule", null, UpdateRules.ALL)
          .help("how the master turns gradients into parameters");
  public static final Setting<Integer> BATCH_SIZE =
      integer("batch-size", null, 1).help("examples per worker and step");

  public static final Setting<Integer> WORKERS =
      integer("workers", 2, 0, 10_000)
          .help("worker processes; 0 trains in this process without MPI");
  public static final Setting<String> HOSTS =
      path("hosts", null)
          .in("a file, one host a line, the master's first; 'HOST slots=4' for several ranks")
          .help("where the ranks are; default: all on this host")
          .as(Role.ORDER);
  public static final Setting<String> REMOTE_SHELL =
      text("remote-shell", RemoteShell.SSH)
          .in("a command that takes a host and a program")
          .help("starts ranks on other hosts")
          .as(Role.ORDER);
  public static final Setting<String> BIND =
      text("bind", null)
          .in("an address of the master, or an interface or network (10.0.0.0/24) of every host")
          .help("where ranks listen; default: the address from which a host reaches the others")
          .as(Role.ORDER);
  public static final Setting<String> SHARED_MEMORY =
      oneOf("shared-memory", HOST, NONE)
          .help(
              "large payloads between ranks of one host stay in memory; none: all through sockets");
  public static final Setting<String> NETWORK =
      named("network", null, Networks.ALL)
          .in("a name that amb models lists, or a .json or .zip file of DL4J")
          .help("the network to train; default: the data set's usual one");
  public static final Setting<String> NORM =
      oneOf("norm", null, Norm.names()).help("how it normalizes; default: the network's usual way");
  public static final Setting<Double> BATCH_NORM_DECAY =
      share("batch-norm-decay", null)
          .help(
              "share of running statistics kept per step: Keras' momentum, 1 - PyTorch's; default 0.9");
  public static final Setting<Double> BATCH_NORM_EPSILON =
      positive("batch-norm-epsilon", null).help("added to variances; default 1e-5");
  public static final Setting<String> INIT =
      text("init", null)
          .in(
              "DISTRIBUTION[:SCALE][,dense=DISTRIBUTION[:SCALE]], of "
                  + String.join(", ", Distribution.names()),
              t -> Initialization.parse(t) != null)
          .help(
              "distribution of initial weights, scale 0.05 unless given; default: the network's usual");
  public static final Setting<String> CUDA =
      oneOf("cuda", NONE, CPU_MASTER, GPU_MASTER, GPU_ALL)
          .help(
              "ranks that compute on GPUs: none, workers, the master, all; needs scripts/build -Pcuda")
          .or("gpu");
  public static final Setting<Integer> GPUS_PER_NODE =
      integer("gpus-per-node", -1, -1)
          .in("1 or more, or -1 for as many as there are", v -> v != 0)
          .help("GPUs of a host that its ranks take in turns");
  public static final Setting<String> REPRODUCIBLE =
      oneOf("reproducible", NONE, AVX2)
          .help(
              "gradients have the same bits on every x86-64 processor with AVX2; slower with AVX-512")
          .implying(AVX2);
  public static final Setting<String> AUGMENT =
      oneOf("augment", "none", Augmentation.names())
          .help("random changes of training images: shifts by up to 4 pixels, mirroring");
  public static final Setting<Double> LABEL_SMOOTHING =
      share("label-smoothing", 0.0)
          .help("share of each training label that is spread evenly over all classes");
  public static final Setting<String> DATA_DIR =
      path("data-dir", null).help("where the data set's files are");
  public static final Setting<Long> SEED =
      integral("seed", 1L).in("an integer").help("seed of every random choice");

  public static final Setting<String> SHARDS =
      oneOf("shards", Sharding.SHARED.toString(), Sharding.names())
          .help(
              "examples of a worker; shared: its turns in one order of all; strided: every n-th;"
                  + " contiguous: a part; by-class: a part with few classes");
  public static final Setting<Integer> SPLIT_BY_CLASS =
      integer("split-by-class", 0, 0, 1).help("1 is ESync's name for shards by-class").implying(1);

  public static final Setting<String> INDUCE =
      named("induce", "none", DelayModels.ALL)
          .in(String.join(", ", DelayModels.ALL.names()) + ", or mean,std,weight;… in seconds")
          .help("distribution of induced delays")
          .implying("niagara")
          .or("induce-comp");
  public static final Setting<Double> INDUCE_SCALE =
      real("induce-scale", 1.0)
          .in("0 to 1000", v -> v >= 0 && v <= 1000)
          .help("factor on every induced delay");

  public static final Setting<String> CODEC =
      named("codec", "none", Codecs.ALL)
          .in("NAME[:ARGUMENTS][+ADDITION]...; names: " + String.join(", ", Codecs.ALL.names()))
          .help("how workers encode gradients; amb codecs describes them");
  public static final Setting<String> DOWNLINK_CODEC =
      named("downlink-codec", "none", Codecs.ALL)
          .in("as --codec, without error feedback")
          .help(
              "how the master encodes the change of the parameters since those that a worker has");

  public static final Setting<String> ENGINE =
      oneOf("engine", MPJ, OPENMPI, SIM)
          .help(
              "processes over MPJ Express or the site's own MPI, or threads of this process in virtual"
                  + " time");
  public static final Setting<String> GRADIENTS =
      oneOf("gradients", REAL, NONE)
          .help(
              "sim: compute gradients, or simulate the timing alone, without data, losses and evaluations");
  public static final Setting<Integer> PARAMETERS =
      integer("parameters", null, 1)
          .help("sim, gradients none: parameters of the model; default: the network's");
  public static final Setting<String> COST =
      oneOf("cost", null, List.of(MEASURED, GIVEN))
          .help(
              "sim: time gradients here before the run, or take the costs given; default: given if"
                  + " cost-per-example or cost-per-partition is, else measured");
  public static final Setting<Double> COST_PER_EXAMPLE =
      cost("cost-per-example", null).help("sim: time of a gradient per example, at speed 1");
  public static final Setting<Double> COST_PER_PARTITION =
      cost("cost-per-partition", null)
          .help("sim: time of a gradient per partition besides, at speed 1");
  public static final Setting<Double> COST_PER_PARAMETER =
      cost("cost-per-parameter", 0.0).help("sim: time of the master's update per parameter");
  public static final Setting<Double> COST_PER_TEST_EXAMPLE =
      cost("cost-per-test-example", null)
          .help(
              "sim: time of a test per example; default: none, and a test when 2 % of the time has"
                  + " passed since the last one; with --evaluate blocking measured too, or a third"
                  + " of cost-per-example");
  public static final Setting<Double> COST_PER_ENCODED_ENTRY =
      cost("cost-per-encoded-entry", null)
          .help(
              "sim: time of encoding a vector per entry, in both directions; default: measured too, with"
                  + " --codec if there are two, or 0");
  public static final Setting<Double> COST_PER_DECODED_ENTRY =
      cost("cost-per-decoded-entry", null)
          .help(
              "sim: time of decoding a vector per entry, in both directions; default: measured too, with"
                  + " --codec if there are two, or 0");
  public static final Setting<List<Double>> SPEED =
      positive("speed", null)
          .list(List.of(1.0))
          .in("factors above 0, as 1,1,0.5")
          .help("sim: speed of each worker's computation; the last one counts for the rest");
  public static final Setting<Double> LATENCY =
      cost("latency", 0.0).help("sim: from the end of a message's transmission to its arrival");
  public static final Setting<Double> BANDWIDTH =
      realOrInfinite("bandwidth", Double.POSITIVE_INFINITY)
          .in("bits per second above 0, or inf", v -> v > 0)
          .help("sim: of each node's link, in and out, shared by its messages");
  public static final Setting<String> REPLAY =
      path("replay", null)
          .in("a run directory")
          .help(
              "repeat the run there in virtual time, with its options and its workers' recorded"
                  + " delays, computing times and numbers of partitions");

  public static final Setting<Double> CLIP_NORM =
      positive("clip-norm", null)
          .help("scale the mean gradient of all parameters down to this norm; default: none");
  public static final Setting<Double> CLIP_VALUE =
      positive("clip-value", null)
          .help("clip each entry of the mean gradient to this magnitude; default: none");

  public static final Setting<Double> LEARNING_RATE =
      positive("learning-rate", null)
          .help("the learning rate, or its first value; default: the update rule's usual one")
          .or("lr", "starter-learning-rate");
  public static final Setting<String> LRATE_SCHEDULE =
      named("lrate-schedule", "const", Schedules.ALL).help("how the learning rate changes");
  public static final Setting<Double> WEIGHT_DECAY =
      notNegative("weight-decay", 5e-4)
          .help("L2 penalty, on weights, once per step; adamw: decoupled");

  public static final Setting<Long> LAST_STEP =
      integral("last-step", 0L)
          .in("0 (no limit) or more", v -> v >= 0)
          .help("stop after this many updates")
          .or("steps");
  public static final Setting<Double> MAX_EPOCHS =
      realOrInfinite("max-epochs", null)
          .in("above 0, or inf", v -> v > 0)
          .help("stop after this many passes; default 5 if no other limit is given, else inf")
          .or("epochs");
  public static final Setting<Double> MAX_TIME =
      realOrInfinite("max-time", Double.POSITIVE_INFINITY)
          .in("seconds above 0, or inf", v -> v > 0)
          .help("stop after this long");
  public static final Setting<Double> TARGET_ACCURACY =
      positive("target-accuracy", null)
          .in("above 0, up to 1", v -> v <= 1)
          .help("stop when a test has this accuracy or more");
  public static final Setting<Double> TARGET_LOSS =
      notNegative("target-loss", null).help("stop when a test has this loss or less");

  public static final Setting<String> EVALUATE =
      oneOf("evaluate", "background", BLOCKING, "last")
          .help(
              "test while workers continue, while they wait (as in AMB on TensorFlow), or only at the end");
  public static final Setting<String> EVALUATOR =
      oneOf("evaluator", NONE, PROCESS)
          .help(
              "a separate process tests every checkpoint and writes evaluator.log; combine it"
                  + " with --evaluate last")
          .implying(PROCESS);
  public static final Setting<Integer> EVALUATE_EVERY =
      integer("evaluate-every", 1, 1)
          .help(
              "steps between tests; in the background more if tests would take over a fifth of the time");
  public static final Setting<Integer> TEST_SIZE =
      integer("test-size", -1, -1)
          .in("1 or more, or -1 for all", v -> v != 0)
          .help("test examples, new ones each time");

  public static final Setting<String> CHECKPOINT_EVERY =
      Setting.<String>of(
              "checkpoint-every",
              null,
              JsonForm.NUMBER_OR_TEXT,
              text -> CheckpointInterval.parse(text).toString())
          .in("seconds as 60s, steps as 500, or last")
          .help(
              "checkpoint interval: the newest checkpoint is never older; default 60s, with engine sim last");
  public static final Setting<Integer> CHECKPOINT_KEEP =
      integer("checkpoint-keep", 3, 1, 1_000_000)
          .help("checkpoints kept, besides the best parameters");
  public static final Setting<String> RESUME =
      path("resume", null)
          .in("a run directory")
          .help(
              "resume the run there from its newest checkpoint, with its options; a limit given"
                  + " replaces all those of a finished run")
          .as(Role.PLACE);
  public static final Setting<String> RESUME_FROM =
      oneOf("resume-from", NEWEST, START)
          .help(
              "with --resume; start: from step 0, after checkpoints and records are moved to RUN/superseded");

  public static final Setting<Integer> MIN_WORKERS =
      integer("min-workers", 1, 1, 10_000).help("the run ends if fewer workers are left");
  public static final Setting<Double> DEAD_AFTER =
      real("dead-after", 5.0)
          .in("seconds, 0.1 to 1000000", v -> v >= 0.1 && v <= 1e6)
          .help(
              "seconds without a heartbeat before a warning, or before lost connections are re-established");
  public static final Setting<Double> STALL_AFTER =
      real("stall-after", 30.0)
          .in("seconds, 3 to 1000000", v -> v >= 3 && v <= 1e6) // Heartbeats come once a second.
          .help("seconds without a heartbeat before a rank is killed and removed from the run");
  public static final Setting<Integer> RESPAWN =
      integer("respawn", 0, 0, 1_000_000)
          .help("replacements to start for failed workers, in total");
  public static final Setting<String> NON_FINITE =
      oneOf("non-finite", HALT, DROP)
          .help(
              "what a result with NaN or infinity does: end the run, or be dropped; %s steps without a finite result always end the run"
                  .formatted(DivergedException.MAX_EMPTY));
  public static final Setting<String> INJECT =
      text("inject", null).in(Fault.FORMS).help("faults to rehearse, such as kill:rank=2,step=50");

  public static final Setting<String> NAME =
      text("name", null)
          .in(
              "up to 100 letters, digits, dots, dashes, underscores",
              t -> t.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}._+-]{0,99}"))
          .help("the run's name, of which its directory is made; default: from its options")
          .as(Role.PLACE);
  public static final Setting<String> TAG =
      text("tag", null)
          .in("words, separated by commas")
          .help("what amb runs --filter finds the run by")
          .as(Role.PLACE);
  public static final Setting<String> NOTE =
      text("note", null).help("what amb runs shows beside the run").as(Role.PLACE);
  public static final Setting<Integer> LOG_FREQ =
      integer("log-freq", 1, 1).help("steps between two lines in rank-0.log");
  public static final Setting<String> PROGRESS =
      oneOf("progress", RunView.AUTO, RunView.PLAIN, RunView.JSON, RunView.NONE)
          .help(
              "auto: one line on a terminal, else lines; json: for programs; none: the run's"
                  + " directory alone, as --quiet")
          .as(Role.PLACE);
  public static final Setting<String> DASHBOARD =
      address("dashboard").help("serves a page that follows the run; loopback unless told");
  public static final Setting<String> METRICS_PORT =
      address("metrics-port").help("serves the run's numbers to Prometheus; loopback unless told");
  public static final Setting<String> RUNS_DIR =
      path("runs-dir", "runs").help("where run directories are made").as(Role.PLACE);
  public static final Setting<String> RUN_DIRECTORY =
      path("run-directory", null)
          .help("this run's own; default: a new one in runs-dir")
          .as(Role.PLACE);
  public static final Setting<String> PLUGINS =
      text("plugins", null)
          .in("jars, or directories of jars, joined by commas; the same on every host")
          .help(
              "what adds schemes, codecs and the like to the program; default: its plugins directory")
          .as(Role.ORDER);
  public static final Setting<Double> START_LIMIT =
      positive("start-limit", 180.0)
          .in("seconds above 0, up to 1000000", v -> v <= 1e6)
          .help("limit for the start of all ranks");
  public static final Setting<Integer> MASTER_HEAP =
      integer("master-heap", 1024, 64, 1_000_000).help("engine mpj: MB of Java heap of the master");
  public static final Setting<Integer> WORKER_HEAP =
      integer("worker-heap", 256, 64, 1_000_000).help("engine mpj: MB of Java heap of a worker");

  /** The options of all schemes, each once. */
  static final List<Setting<?>> OF_SCHEMES = Schemes.ALL.options();

  /** The options given by position, in order. */
  public static final List<Setting<?>> POSITIONAL =
      List.of(DATA_SET, SCHEME, UPDATE_RULE, BATCH_SIZE);

  /** Options of {@code --engine sim} alone. */
  public static final List<Setting<?>> SIM_ONLY =
      List.of(
          GRADIENTS,
          PARAMETERS,
          COST,
          COST_PER_EXAMPLE,
          COST_PER_PARTITION,
          COST_PER_PARAMETER,
          COST_PER_TEST_EXAMPLE,
          COST_PER_ENCODED_ENTRY,
          COST_PER_DECODED_ENTRY,
          SPEED,
          LATENCY,
          BANDWIDTH,
          REPLAY);

  /** The options by group, in the order of {@code --help}. */
  static final List<OptionGroup> GROUPS =
      List.of(
          new OptionGroup(
              "data",
              "the data set",
              DATA_SET,
              DATA_DIR,
              AUGMENT,
              LABEL_SMOOTHING,
              SHARDS,
              SPLIT_BY_CLASS),
          new OptionGroup(
              "network",
              "the network and its first parameters",
              NETWORK,
              NORM,
              BATCH_NORM_DECAY,
              BATCH_NORM_EPSILON,
              INIT),
          new OptionGroup(
              "scheme",
              "who waits for whom, with the options of each scheme",
              all(List.of(SCHEME, BATCH_SIZE), OF_SCHEMES)),
          new OptionGroup(
              "update-rule",
              "how gradients become parameters",
              all(
                  List.of(UPDATE_RULE),
                  UpdateRules.ALL.options(),
                  List.of(WEIGHT_DECAY, CLIP_NORM, CLIP_VALUE))),
          new OptionGroup(
              "rate",
              "the learning rate and its schedule",
              all(List.of(LEARNING_RATE, LRATE_SCHEDULE), Schedules.options())),
          new OptionGroup(
              "stop",
              "when training ends",
              LAST_STEP,
              MAX_EPOCHS,
              MAX_TIME,
              TARGET_ACCURACY,
              TARGET_LOSS),
          new OptionGroup(
              "ranks",
              "the processes: how many, where, over what",
              WORKERS,
              ENGINE,
              HOSTS,
              REMOTE_SHELL,
              BIND,
              SHARED_MEMORY,
              PLUGINS,
              START_LIMIT,
              MASTER_HEAP,
              WORKER_HEAP),
          new OptionGroup(
              "compute",
              "GPUs, random numbers, equal bits on every processor",
              CUDA,
              GPUS_PER_NODE,
              REPRODUCIBLE,
              SEED),
          new OptionGroup("delays", "workers that are made slow", INDUCE, INDUCE_SCALE),
          new OptionGroup("codec", "how messages are encoded", CODEC, DOWNLINK_CODEC),
          new OptionGroup(
              "faults",
              "what happens when a rank fails; failures to rehearse",
              MIN_WORKERS,
              DEAD_AFTER,
              STALL_AFTER,
              RESPAWN,
              NON_FINITE,
              INJECT),
          new OptionGroup(
              "evaluation", "tests of the model", EVALUATE, EVALUATOR, EVALUATE_EVERY, TEST_SIZE),
          new OptionGroup(
              "checkpoints",
              "what a run saves, and how to resume it",
              CHECKPOINT_EVERY,
              CHECKPOINT_KEEP,
              RESUME,
              RESUME_FROM),
          new OptionGroup(
              "output",
              "the console and the run's directory",
              NAME,
              TAG,
              NOTE,
              PROGRESS,
              DASHBOARD,
              METRICS_PORT,
              LOG_FREQ,
              RUNS_DIR,
              RUN_DIRECTORY),
          new OptionGroup("sim", "the virtual cluster of --engine sim", SIM_ONLY));

  /** All options, in the order of {@code --help}. */
  public static final List<Setting<?>> ALL =
      GROUPS.stream().<Setting<?>>flatMap(group -> group.settings().stream()).toList();

  static {
    List<Registry.Entry> entries = new ArrayList<>(Schemes.ALL.all());
    entries.addAll(UpdateRules.ALL.all());
    entries.addAll(Schedules.ALL.all());
    List<Setting<?>> others = new ArrayList<>(ALL);
    entries.forEach(entry -> others.removeAll(entry.options()));
    Set<String> taken = new HashSet<>(CommandLine.PROGRAM_NAMES);
    others.forEach(setting -> taken.addAll(setting.names()));
    checkNames(entries, taken);
  }

  private TrainSettings() {}

  /**
   * Checks that each name of an option has one meaning; entries may share an option.
   *
   * @param taken names of what is no option of an entry
   * @throws UsageException if something else has the name of an option
   */
  static void checkNames(List<? extends Registry.Entry> entries, Set<String> taken) {
    Map<String, Setting<?>> owners = new HashMap<>();
    for (Registry.Entry entry : entries) {
      for (Setting<?> option : entry.options()) {
        for (String name : option.names()) {
          Setting<?> owner = owners.putIfAbsent(name, option);
          if (taken.contains(name) || owner != null && !owner.equals(option)) {
            throw new UsageException(
                "%s: expected an option name that nothing else has, found --%s; rename it"
                    .formatted(entry.name(), name));
          }
        }
      }
    }
  }

  @SafeVarargs
  private static List<Setting<?>> all(List<Setting<?>>... parts) {
    List<Setting<?>> all = new ArrayList<>();
    for (List<Setting<?>> part : parts) {
      all.addAll(part);
    }
    return List.copyOf(all);
  }

  /** The setting of a long name, or null. */
  static Setting<?> settingNamed(String name) {
    return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst().orElse(null);
  }

  private static Setting<String> address(String name) {
    return Setting.<String>of(name, null, JsonForm.NUMBER_OR_TEXT, t -> t)
        .in(ListenAddress.RANGE, t -> ListenAddress.parse(t) != null)
        .as(Role.PLACE);
  }

  private static Setting<Double> cost(String name, Double fallback) {
    return real(name, fallback).in("seconds, 0 to 1000000", v -> v >= 0 && v <= 1e6);
  }

  private static Setting<String> path(String name, String fallback) {
    return Setting.of(name, fallback, JsonForm.TEXT, t -> Path.of(t).toString())
        .in("a directory", t -> !t.isBlank());
  }

  /** A name in a registry, which a user may write as an alias; arguments may follow. */
  private static Setting<String> named(String name, String fallback, Registry<?> registry) {
    JsonForm form = JsonForm.named(registry.names());
    boolean some = registry.all().stream().anyMatch(entry -> !entry.arguments().isEmpty());
    String arguments = some ? "; NAME:ARGUMENTS for some" : "";
    return Setting.of(name, fallback, form, registry::canonical)
        .in(among(registry.names()) + arguments, t -> !t.isBlank() && t.indexOf('\0') < 0);
  }

  private static String among(List<String> names) {
    return "one of " + String.join(", ", names);
  }
}
