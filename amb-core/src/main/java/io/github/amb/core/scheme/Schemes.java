package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The schemes by name. To add one of ours, add a class, its texts and a line here. */
public final class Schemes implements Plugin<Schemes.Entry> {
  /** All schemes, by name. */
  public static final Registry<Entry> ALL = new Registry<>("scheme", Entry.class);

  /** Schemes whose step, of one worker, is what training in one process does. */
  private static final Set<String> IN_ONE_PROCESS = Set.of("fmb", "sync", "amb");

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(SchemeTexts.FMB, FixedMiniBatch::new),
        new Entry(SchemeTexts.SYNC, FixedMiniBatch::new),
        new Entry(
            SchemeTexts.AMB,
            AnytimeMiniBatch::new,
            AnytimeOptions::problems,
            AnytimeOptions.TIME_LIMIT,
            AnytimeOptions.NUM_PARTITIONS,
            AnytimeMiniBatch.MISSED),
        new Entry(SchemeTexts.K_SYNC, KSync::new, KSync::problems, KSync.NUM_AGGREGATE),
        new Entry(SchemeTexts.ASYNC, Async::new, Async.GRADIENTS),
        new Entry(SchemeTexts.SSP, Ssp::new, Ssp.STALENESS),
        new Entry(SchemeTexts.DCASGD, DcAsgd::new, DcAsgd.MODE, DcAsgd.LAMBDA, DcAsgd.DECAY),
        new Entry(
            SchemeTexts.AMB_DG,
            AmbDelayedGradient::new,
            AnytimeOptions::fixedProblems,
            AnytimeOptions.TIME_LIMIT,
            AnytimeOptions.NUM_PARTITIONS,
            AmbDelayedGradient.MASTER,
            AmbDelayedGradient.MASTER_TIME_LIMIT,
            AmbDelayedGradient.MASTER_BATCH_MIN,
            AmbDelayedGradient.DELAY_STD),
        new Entry(
            SchemeTexts.FMB_DG,
            FmbDelayedGradient::new,
            AmbDelayedGradient.MASTER,
            AmbDelayedGradient.MASTER_TIME_LIMIT,
            AmbDelayedGradient.MASTER_BATCH_MIN,
            AmbDelayedGradient.DELAY_STD),
        new Entry(
            SchemeTexts.LOCAL_SGD, LocalSgd::new, LocalSgd.LOCAL_STEPS, LocalSgd.LOCAL_STEPS_AFTER),
        new Entry(
            SchemeTexts.DILOCO,
            DiLoCo::new,
            LocalSgd.LOCAL_STEPS,
            LocalSgd.LOCAL_STEPS_AFTER,
            DiLoCo.OUTER_LEARNING_RATE,
            DiLoCo.OUTER_MOMENTUM),
        new Entry(
            SchemeTexts.ASYNC_DILOCO,
            AsyncDiLoCo::new,
            LocalSgd.LOCAL_STEPS,
            LocalSgd.LOCAL_STEPS_AFTER,
            AsyncDiLoCo.STEPS_BY,
            AsyncDiLoCo.INTERVAL,
            DiLoCo.OUTER_LEARNING_RATE,
            DiLoCo.OUTER_MOMENTUM),
        new Entry(
            SchemeTexts.STREAMING_DILOCO,
            StreamingDiLoCo::new,
            StreamingDiLoCo::problems,
            LocalSgd.LOCAL_STEPS,
            StreamingDiLoCo.FRAGMENTS,
            StreamingDiLoCo.OVERLAP,
            StreamingDiLoCo.MIXING,
            LocalSgd.LOCAL_STEPS_AFTER,
            DiLoCo.OUTER_LEARNING_RATE,
            DiLoCo.OUTER_MOMENTUM),
        new Entry(
            SchemeTexts.DECOUPLED_DILOCO,
            DecoupledDiLoCo::new,
            StreamingDiLoCo::problems,
            LocalSgd.LOCAL_STEPS,
            StreamingDiLoCo.FRAGMENTS,
            StreamingDiLoCo.OVERLAP,
            DecoupledDiLoCo.QUORUM,
            DecoupledDiLoCo.GRACE,
            DecoupledDiLoCo.AVERAGE,
            LocalSgd.LOCAL_STEPS_AFTER,
            DiLoCo.OUTER_LEARNING_RATE,
            DiLoCo.OUTER_MOMENTUM),
        new Entry(
            SchemeTexts.ANYTIME_SGD,
            AnytimeSgd::new,
            AnytimeOptions::finiteLimitProblems,
            AnytimeOptions.TIME_LIMIT,
            LocalSgd.LOCAL_STEPS_AFTER),
        new Entry(
            SchemeTexts.ESYNC,
            ESync::new,
            ESync::problems,
            DiLoCo.OUTER_LEARNING_RATE,
            ESync.EPSILON,
            ESync.EPSILON_SECONDS,
            ESync.SMOOTHING,
            ESync.PARTITIONS,
            ESync.WEIGHTING,
            LocalSgd.LOCAL_STEPS_AFTER),
        new Entry(
            SchemeTexts.FEDAVG,
            FedAvg::new,
            FedAvg.LOCAL_EPOCHS,
            LocalSgd.LOCAL_STEPS_AFTER,
            FedAvg.FRACTION,
            FedAvg.WEIGHTS,
            DiLoCo.OUTER_LEARNING_RATE),
        new Entry(
            SchemeTexts.FEDPROX,
            FedAvg::proximal,
            FedAvg.LOCAL_EPOCHS,
            LocalSgd.LOCAL_STEPS_AFTER,
            FedAvg.FRACTION,
            FedAvg.WEIGHTS,
            FedAvg.PROXIMAL,
            DiLoCo.OUTER_LEARNING_RATE),
        new Entry(
            SchemeTexts.FEDBUFF,
            FedBuff::new,
            FedAvg.LOCAL_EPOCHS,
            LocalSgd.LOCAL_STEPS_AFTER,
            FedBuff.BUFFER,
            FedBuff.DISPATCH,
            DiLoCo.OUTER_LEARNING_RATE),
        new Entry(
            SchemeTexts.SCAFFOLD,
            Scaffold::new,
            FedAvg.LOCAL_EPOCHS,
            LocalSgd.LOCAL_STEPS_AFTER,
            FedAvg.FRACTION,
            DiLoCo.OUTER_LEARNING_RATE),
        new Entry(
            SchemeTexts.FEDCOMPASS,
            FedCompass::new,
            FedCompass::problems,
            FedCompass.MIN,
            FedCompass.MAX,
            FedCompass.LATENESS,
            LocalSgd.LOCAL_STEPS_AFTER,
            DiLoCo.OUTER_LEARNING_RATE),
        new Entry(SchemeTexts.CODED, Coded::new, Coded::problems, Coded.STRAGGLERS, Coded.CODE),
        new Entry(SchemeTexts.DELAY_ADAPTIVE, DelayAdaptive::new),
        RestartingScheme.entry(SchemeTexts.RINGMASTER, Ringmaster::new, Ringmaster.THRESHOLD),
        RestartingScheme.entry(SchemeTexts.RENNALA, Rennala::new, Async.GRADIENTS),
        RestartingScheme.entry(SchemeTexts.MALENIA, Malenia::new, Async.GRADIENTS),
        new Entry(SchemeTexts.RINGLEADER, Ringleader::new),
        new Entry(SchemeTexts.IA2SGD, IncrementalAsync::new),
        new Entry(SchemeTexts.RESCALED, RescaledAsync::new),
        new Entry(
            SchemeTexts.AMB_GRAPH,
            AmbGraph::new,
            AmbGraph::problems,
            AnytimeOptions.TIME_LIMIT,
            AnytimeOptions.NUM_PARTITIONS,
            FmbGraph.GRAPH,
            FmbGraph.ROUNDS,
            AmbGraph.CONSENSUS_TIME,
            FedAvg.WEIGHTS),
        new Entry(
            SchemeTexts.FMB_GRAPH,
            FmbGraph::new,
            FmbGraph::problems,
            FmbGraph.GRAPH,
            FmbGraph.ROUNDS),
        new Entry(
            SchemeTexts.NOLOCO,
            NoLoCo::new,
            LocalSgd.LOCAL_STEPS,
            LocalSgd.LOCAL_STEPS_AFTER,
            DiLoCo.OUTER_LEARNING_RATE,
            DiLoCo.OUTER_MOMENTUM));
  }

  /**
   * A scheme that a user can name.
   *
   * @param description name and texts
   * @param factory makes the scheme from options that have no problems
   * @param check says what is wrong with options that are each in range, in lines; empty if nothing
   *     is
   * @param options the options it has
   */
  public record Entry(
      Description description,
      Function<SchemeOptions, Scheme> factory,
      Function<SchemeOptions, List<String>> check,
      List<Setting<?>> options)
      implements Registry.Entry {
    /** A scheme whose options need no check but of their ranges. */
    public Entry(
        Description description, Function<SchemeOptions, Scheme> factory, Setting<?>... options) {
      this(description, factory, given -> List.of(), List.of(options));
    }

    Entry(
        Description description,
        Function<SchemeOptions, Scheme> factory,
        Function<SchemeOptions, List<String>> check,
        Setting<?>... options) {
      this(description, factory, check, List.of(options));
    }

    /**
     * The scheme with these options.
     *
     * @throws UsageException naming everything that is wrong with them
     */
    public Scheme create(SchemeOptions given) {
      List<String> problems = new ArrayList<>();
      options.forEach(option -> addProblem(option, given, problems));
      problems.addAll(ALL.unused(this, given.values().names()));
      if (given.workers() == 0 && !IN_ONE_PROCESS.contains(name())) {
        problems.add("--workers: expected at least 1 with scheme %s, found 0".formatted(name()));
      }
      if (problems.isEmpty()) {
        problems.addAll(check.apply(given));
      }
      UsageException.expectNone(problems);
      return factory.apply(given);
    }

    private <T> void addProblem(Setting<T> option, SchemeOptions given, List<String> problems) {
      T value = given.get(option);
      if (value == null && option.required()) {
        problems.add(
            "scheme %s: expected --%s (%s): %s; found none"
                .formatted(name(), option.name(), option.range(), option.help()));
      } else if (value != null && !option.valid().test(value)) {
        problems.add("--%s: expected %s, found %s".formatted(option.name(), option.range(), value));
      }
    }
  }

  /**
   * The scheme called {@code name}.
   *
   * @throws UsageException if there is none
   */
  public static Entry named(String name) {
    return ALL.named(name);
  }
}
