package io.github.amb.runtime.train.rank;

import static io.github.amb.runtime.config.TrainSettings.TEST_SIZE;
import static io.github.amb.runtime.console.OutputSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.host.RankSettings.START_LIMIT;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.evaluation.BackgroundEvaluator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.state.StateMap;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.fault.FaultInjector;
import io.github.amb.runtime.fault.Injected;
import io.github.amb.runtime.fault.ProcessSignals;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.part.GpuPlan;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The environment of a rank that is a process and shares nothing with other ranks.
 *
 * @param run the run's parts
 * @param onGpu the rank, if it computes on a GPU, not on the processor
 */
public record ProcessEnvironment(RunParts run, OptionalInt onGpu) implements RankEnvironment {
  public static ProcessEnvironment of(RunParts run, int rank) {
    boolean onGpu = GpuPlan.ranks(run.settings()).contains(rank);
    return new ProcessEnvironment(run, onGpu ? OptionalInt.of(rank) : OptionalInt.empty());
  }

  @Override
  public GradientSource source(Clock clock) {
    return onGpu.isPresent() ? run.openOnGpu(onGpu.getAsInt()) : run.open();
  }

  @Override
  public ExampleOrder order(int worker, int workers) {
    return run.order(run.data().train().count(), workers).of(worker);
  }

  @Override
  public DelayModel delays(int rank) {
    return run.delays();
  }

  @Override
  public Evaluator background(
      GradientSource source, Clock clock, Interval every, EvaluationListener listener) {
    int testSize = run.settings().get(TEST_SIZE);
    return new BackgroundEvaluator(
        new BlockingEvaluator(source, clock, run.streams(), 1, testSize, listener),
        clock,
        every.steps());
  }

  @Override
  public ResumePoint resumed() throws IOException {
    return ResumeOptions.point(run);
  }

  @Override
  public void admit(Membership.Generation generation, ResumePoint states) {
    Handshake.of(run).admit(generation.communicator(), states, deadline(1));
  }

  @Override
  public StateMap join(Membership.Generation generation) {
    return Handshake.of(run).join(generation.communicator(), deadline(2));
  }

  /** Workers wait longer than the master, so that the master reports a rank that is missing. */
  private long deadline(int limits) {
    return System.nanoTime() + limits * Clock.nanos(run.settings().get(START_LIMIT));
  }

  @Override
  public FaultInjector.Signals signals() {
    return new ProcessSignals();
  }

  /** A host that does not share the run directory keeps no journal. */
  @Override
  public Consumer<Injected> faults() {
    Settings settings = run.settings();
    Path directory = settings.has(RUN_DIRECTORY) ? Path.of(settings.get(RUN_DIRECTORY)) : null;
    return directory != null && Files.isDirectory(directory)
        ? RunOutput.in(new RunDirectory(directory)).faults()
        : occurrence -> {};
  }

  @Override
  public Map<String, String> describe() {
    Map<String, String> facts =
        new TreeMap<>(
            onGpu.isPresent()
                ? GpuPlan.of(run.settings()).orElseThrow().describe(onGpu.getAsInt())
                : run.describeEngine());
    List<Integer> onGpus = GpuPlan.ranks(run.settings());
    if (!onGpus.isEmpty()) {
      facts.put("gpu_ranks", onGpus.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
    return facts;
  }
}
