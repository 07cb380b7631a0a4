package io.github.amb.runtime.config;

import static io.github.amb.core.option.Setting.*;
import static io.github.amb.models.data.DataSettings.DATA_SET;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Registry;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.runtime.checkpoint.CheckpointSettings;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.console.OutputSettings;
import io.github.amb.runtime.fault.FaultSettings;
import io.github.amb.runtime.host.RankSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The options of a training run, in groups. An option is declared once: beside its code if it needs
 * none of {@link Settings}, otherwise here.
 */
public final class TrainSettings {
  public static final String NONE = "none";

  /** A value of {@link #REPRODUCIBLE}; the other one is {@link #NONE}. */
  public static final String AVX2 = "avx2";

  /** A value of {@link #PRECISION}. */
  public static final String BF16 = "bf16";

  /** A value of {@link #PRECISION}, which a checked run no longer has. */
  public static final String AUTO = "auto";

  /** The usual {@link #PRECISION}. */
  public static final String FP32 = "fp32";

  /** The usual {@link #DEVICE}. */
  public static final String CPU = "cpu";

  /** Values of {@link #DEVICE} for all ranks. */
  public static final String GPU = "gpu";

  public static final String OPENCL = "gpu:opencl";

  public static final String ND4J = "gpu:nd4j";

  /** Older values of {@link #DEVICE}, for some ranks or all. */
  public static final String CPU_MASTER = "cpu_master";

  public static final String GPU_MASTER = "gpu_master";

  public static final String GPU_ALL = "gpu_all";

  /** Value of {@code --evaluator}. */
  public static final String PROCESS = "process";

  /** Value of {@code --evaluate}. */
  public static final String BLOCKING = "blocking";

  public static final Setting<String> SCHEME =
      Schemes.ALL.option("scheme", null).help("who waits for whom, and when the master updates");
  public static final Setting<Integer> BATCH_SIZE =
      integer("batch-size", null, 1).help("examples per worker and step");

  public static final Setting<String> UPDATE_RULE =
      UpdateRules.ALL
          .option("update-rule", null)
          .help("how the master turns gradients into parameters");

  public static final Setting<Double> WEIGHT_DECAY =
      notNegative("weight-decay", 5e-4)
          .help("L2 penalty, on weights, once per step; adamw: decoupled");
  public static final Setting<Double> CLIP_NORM =
      positive("clip-norm", null)
          .help("scale the mean gradient of all parameters down to this norm; default: none");
  public static final Setting<Double> CLIP_VALUE =
      positive("clip-value", null)
          .help("clip each entry of the mean gradient to this magnitude; default: none");
  public static final Setting<String> GRADIENT_NORM =
      oneOf("gradient-norm", "off", "on")
          .help("record the norm of each mean gradient before clipping; --clip-norm always does")
          .implying("on");

  public static final Setting<Double> LEARNING_RATE =
      positive("learning-rate", null)
          .help("the learning rate, or its first value; default: the update rule's usual one")
          .or("lr", "starter-learning-rate");
  public static final Setting<String> LRATE_SCHEDULE =
      Schedules.ALL.option("lrate-schedule", "const").help("how the learning rate changes");

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
  public static final Setting<Integer> PATIENCE =
      integer("patience", null, 1)
          .help(
              "stop after as many tests in a row with neither a higher accuracy nor a smaller loss");

  public static final Setting<String> BUDGET =
      of("budget", null, JsonForm.TEXT, text -> Budget.parse(text).toString())
          .in(Budget.FORMS)
          .help("stop at the first update after which this is used up");

  private static final List<String> DEVICES =
      List.of(CPU, GPU, OPENCL, ND4J, CPU_MASTER, GPU_MASTER, GPU_ALL);

  public static final Setting<String> DEVICE =
      Setting.of("device", CPU, JsonForm.choice(DEVICES), text -> text.equals(NONE) ? CPU : text)
          .in("one of " + String.join(", ", DEVICES), DEVICES::contains)
          .help(
              "what computes: the processor, or GPUs by a driver; the last three are for some ranks")
          .or("cuda", "gpu");
  public static final Setting<Integer> GPUS_PER_NODE =
      integer("gpus-per-node", -1, -1)
          .in("1 or more, or -1 for as many as there are", v -> v != 0)
          .help("GPUs of a host that its ranks take in turns");
  public static final Setting<String> REPRODUCIBLE =
      oneOf("reproducible", NONE, AVX2)
          .help(
              "gradients have the same bits on every x86-64 processor with AVX2; slower with AVX-512")
          .implying(AVX2);
  public static final Setting<String> PRECISION =
      oneOf("precision", FP32, BF16, AUTO)
          .help(
              "of what processors multiply for gradients; sums are in fp32; auto: bf16 where there are instructions for it");
  public static final Setting<Long> SEED =
      integral("seed", 1L).in("an integer").help("seed of every random choice");

  public static final Setting<String> INDUCE =
      DelayModels.ALL
          .option("induce", "none")
          .in(String.join(", ", DelayModels.ALL.names()) + ", or mean,std,weight;… in seconds")
          .help("distribution of induced delays")
          .implying("niagara")
          .or("induce-comp");
  public static final Setting<Double> INDUCE_SCALE =
      real("induce-scale", 1.0)
          .in("0 to 1000", v -> v >= 0 && v <= 1000)
          .help("factor on every induced delay");

  public static final Setting<String> CODEC =
      Codecs.ALL
          .option("codec", "none")
          .in(
              "NAME[:ARGUMENTS][+ADDITION]..., or auto[:BITS-PER-SECOND]; names: "
                  + String.join(", ", Codecs.ALL.names()))
          .help(
              "how workers encode gradients; amb codecs describes them; auto: none, fp16 or int8, by"
                  + " what encoding and links take");
  public static final Setting<String> DOWNLINK_CODEC =
      Codecs.ALL
          .option("downlink-codec", "none")
          .in("as --codec, without error feedback")
          .help(
              "how the master encodes the change of the parameters since those that a worker has");

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
  public static final Setting<Object> EVALUATE_EVERY =
      Setting.<Object>of("evaluate-every", 1, JsonForm.NUMBER_OR_TEXT, TrainSettings::testInterval)
          .in("steps as 10, or seconds as 60s")
          .help(
              "steps or seconds between tests; in the background more if tests would take over a fifth of the time");
  public static final Setting<Integer> TEST_SIZE =
      integer("test-size", -1, -1)
          .in("1 or more, or -1 for all", v -> v != 0)
          .help("test examples, new ones each time");

  /** The options of all schemes, each once. */
  static final List<Setting<?>> OF_SCHEMES = Schemes.ALL.options();

  /** The options given by position, in order. */
  public static final List<Setting<?>> POSITIONAL =
      List.of(DATA_SET, SCHEME, UPDATE_RULE, BATCH_SIZE);

  /** Options of {@code --engine sim} alone. */
  public static final List<Setting<?>> SIM_ONLY = OptionGroup.constants(SimSettings.class);

  /** Options that limit the length of a run. */
  public static final List<Setting<?>> LIMITS =
      List.of(LAST_STEP, MAX_EPOCHS, MAX_TIME, TARGET_ACCURACY, TARGET_LOSS, PATIENCE, BUDGET);

  /** The options by group, in the order of {@code --help}. */
  static final List<OptionGroup> GROUPS =
      List.of(
          new OptionGroup("data", "the data set", DataSettings.class),
          new OptionGroup("network", "the network and its first parameters", NetworkSettings.class),
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
                  List.of(WEIGHT_DECAY, CLIP_NORM, CLIP_VALUE, GRADIENT_NORM))),
          new OptionGroup(
              "rate",
              "the learning rate and its schedule",
              all(List.of(LEARNING_RATE, LRATE_SCHEDULE), Schedules.options())),
          new OptionGroup("stop", "when training ends", LIMITS),
          new OptionGroup("ranks", "the processes: how many, where, over what", RankSettings.class),
          new OptionGroup(
              "compute",
              "GPUs, number formats, random numbers, equal bits on every processor",
              List.of(DEVICE, GPUS_PER_NODE, PRECISION, REPRODUCIBLE, SEED)),
          new OptionGroup("delays", "workers that are made slow", List.of(INDUCE, INDUCE_SCALE)),
          new OptionGroup("codec", "how messages are encoded", List.of(CODEC, DOWNLINK_CODEC)),
          new OptionGroup(
              "faults",
              "what happens when a rank fails; failures to rehearse",
              FaultSettings.class),
          new OptionGroup(
              "evaluation",
              "tests of the model",
              List.of(EVALUATE, EVALUATOR, EVALUATE_EVERY, TEST_SIZE)),
          new OptionGroup(
              "checkpoints", "what a run saves, and how to resume it", CheckpointSettings.class),
          new OptionGroup("output", "the console and the run's directory", OutputSettings.class),
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
                "%s: expected an option name that nothing else has, found --%s; rename it",
                entry.name(), name);
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
    return ALL.stream().filter(setting -> setting.names().contains(name)).findFirst().orElse(null);
  }

  /** A number of steps, or a text that ends with the unit of seconds. */
  private static Object testInterval(String text) {
    Interval every = Interval.parse(text);
    if (every.equals(Interval.LAST)) {
      throw new IllegalArgumentException(text);
    }
    return every.countsSteps() ? every.steps() : every.toString();
  }
}
