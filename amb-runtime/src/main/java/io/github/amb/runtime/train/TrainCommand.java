package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.DATA_SET;
import static io.github.amb.runtime.config.TrainSettings.DEAD_AFTER;
import static io.github.amb.runtime.config.TrainSettings.ENGINE;
import static io.github.amb.runtime.config.TrainSettings.HOSTS;
import static io.github.amb.runtime.config.TrainSettings.INJECT;
import static io.github.amb.runtime.config.TrainSettings.MASTER_HEAP;
import static io.github.amb.runtime.config.TrainSettings.NETWORK;
import static io.github.amb.runtime.config.TrainSettings.OPENMPI;
import static io.github.amb.runtime.config.TrainSettings.PLUGINS;
import static io.github.amb.runtime.config.TrainSettings.PROGRESS;
import static io.github.amb.runtime.config.TrainSettings.RESPAWN;
import static io.github.amb.runtime.config.TrainSettings.RESUME;
import static io.github.amb.runtime.config.TrainSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.config.TrainSettings.SHARED_MEMORY;
import static io.github.amb.runtime.config.TrainSettings.STALL_AFTER;
import static io.github.amb.runtime.config.TrainSettings.START_LIMIT;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;
import static io.github.amb.runtime.config.TrainSettings.WORKER_HEAP;

import io.github.amb.core.command.Command;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.Amb;
import io.github.amb.runtime.Train;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Help;
import io.github.amb.runtime.config.PrintedConfig;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.launch.CoreShare;
import io.github.amb.runtime.launch.EvaluatorProcess;
import io.github.amb.runtime.launch.FailurePolicy;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopHook;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.WorldLoader;
import io.github.amb.runtime.site.SiteMpi;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.cli.Options;

/** {@code amb train}: checks everything, creates the run directory, and starts the ranks. */
public final class TrainCommand implements Command {
  /** Limit for the end of the ranks after a signal, longer than the launcher's own limit. */
  private static final Duration RANKS_LIMIT = StopRequest.LIMIT.plusSeconds(10);

  @Override
  public String name() {
    return "train";
  }

  @Override
  public String summary() {
    return "train a network on a master and workers";
  }

  @Override
  public Options options() {
    return CommandLine.options();
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>(DataSets.all().names());
    words.addAll(Schemes.all().names());
    words.addAll(UpdateRules.all().names());
    return words;
  }

  @Override
  public Map<String, List<String>> values() {
    Map<String, List<String>> values = new HashMap<>(CommandLine.choices());
    values.put("network", Networks.all().names());
    values.put("induce", DelayModels.all().names());
    values.put("lrate-schedule", Schedules.all().names());
    return values;
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    ParentWatch.start();
    try (StopHook early = new StopHook("early-stop", TrainCommand::stoppedEarly)) {
      return run(arguments, early);
    }
  }

  private static void stoppedEarly() {
    System.err.println("amb: " + RunOutcome.INTERRUPTED + " before the run began");
    Runtime.getRuntime().halt(RunOutcome.STOPPED);
  }

  private static int run(List<String> arguments, StopHook early) throws IOException {
    CommandLine line = CommandLine.parse(arguments);
    if (line.help() != null) {
      System.out.print(Help.text(line.help()));
      return 0;
    }
    String place = line.settings().place(PLUGINS);
    if (!place.isEmpty()) {
      throw new UsageException(
          place + ": plugins: expected --plugins on the command line, found it in a file");
    }
    if (line.printConfig()) {
      print(line.settings());
      return 0;
    }
    if (line.dryRun()) {
      return dryRun(parts(completed(line.settings())));
    }
    Settings settings = completed(line.settings());
    try (RunView view = RunView.of(settings.get(PROGRESS))) {
      return run(settings, arguments, early, view);
    }
  }

  private static int run(Settings settings, List<String> arguments, StopHook early, RunView view)
      throws IOException {
    view.stage("reading " + settings.get(DATA_SET), 0, 0);
    RunParts parts = parts(settings);
    GpuPlan.note(parts.settings()).ifPresent(note -> System.err.println("amb: " + note));
    if (parts.siteMpi()) {
      view.close();
      return SiteLaunch.run(parts.settings(), arguments, early);
    }
    if (parts.simulated()) {
      if (Calibration.isMeasured(parts.settings())) {
        view.stage("calibrating " + parts.settings().get(NETWORK), 0, 0);
      }
      parts = Calibration.price(parts);
    }
    HostPlan hosts = HostPlan.of(parts.settings());
    checkGpus(parts.settings(), hosts);
    List<String> command = new ArrayList<>(List.of("amb", "train"));
    command.addAll(arguments);
    boolean resumed = parts.settings().has(RESUME);
    try (RunLock lock =
        resumed ? ResumeOptions.prepare(parts) : RunWriter.create(parts.settings(), command)) {
      if (hosts != null) {
        RunWriter.addEnvironment(lock.run(), hosts.describe());
      }
      notes(parts).forEach(note -> System.err.println("amb: " + note));
      early.close();
      return train(parts, lock, hosts, view);
    }
  }

  /**
   * The settings typed, with those of a run that is resumed or replayed.
   *
   * @throws UsageException listing all that is wrong with that run
   */
  private static Settings completed(Settings typed) {
    Settings settings = ReplayOptions.complete(ResumeOptions.complete(typed));
    if (settings.get(ENGINE).equals(OPENMPI)) {
      SiteMpi.find();
    }
    return settings;
  }

  /**
   * Everything that is checked before a run, except other hosts and their GPUs.
   *
   * @throws UsageException listing all that is wrong
   */
  private static RunParts parts(Settings settings) {
    RunParts parts = RunParts.of(HostPlan.complete(settings));
    if (!parts.siteMpi() && !parts.simulated() && parts.settings().get(WORKERS) > 0) {
      WorldLoader.findJar();
    }
    return parts;
  }

  /**
   * Checks a run and prints its configuration.
   *
   * @throws UsageException listing all that is wrong, after the configuration was printed
   */
  private static void print(Settings typed) {
    Settings settings = typed;
    try {
      settings = parts(completed(typed)).settings();
    } finally {
      System.out.print(PrintedConfig.text(settings));
    }
  }

  private static int dryRun(RunParts parts) throws IOException {
    GpuPlan.note(parts.settings()).ifPresent(note -> System.err.println("amb: " + note));
    HostPlan hosts = HostPlan.of(parts.settings());
    checkGpus(parts.settings(), hosts);
    System.out.print(DryRun.describe(parts, hosts));
    return 0;
  }

  /** Warnings about this run for the user, printed after all checks have passed. */
  private static List<String> notes(RunParts parts) {
    List<String> notes = new ArrayList<>(parts.remarks());
    if (parts.settings().has(INJECT)) {
      notes.add(
          "faults to inject: "
              + parts.faults().stream().map(Fault::toString).collect(Collectors.joining("; ")));
    }
    CoreShare share = CoreShare.here(parts.settings().get(WORKERS));
    if (!share.isEnough() && !parts.simulated() && !parts.settings().has(HOSTS)) {
      notes.add(share.found() + "; " + CoreShare.REMEDY);
    }
    return notes;
  }

  private static void checkGpus(Settings settings, HostPlan hosts) {
    List<Integer> here = HostPlan.ranksHere(hosts, settings.get(WORKERS));
    GpuPlan.of(settings).ifPresent(plan -> plan.check(here));
  }

  private static int train(RunParts parts, RunLock lock, HostPlan hosts, RunView view)
      throws IOException {
    RunDirectory run = lock.run();
    boolean local = parts.simulated() || parts.settings().get(WORKERS) == 0;
    try (RunEnding ending = new RunEnding(lock, local ? StopRequest.LIMIT : RANKS_LIMIT, view);
        EvaluatorProcess evaluator = SeparateEvaluation.start(parts.settings(), run)) {
      RunOutcome outcome = local ? here(parts, run, view) : launch(parts, lock, hosts, view);
      int code = ending.tell(outcome);
      evaluator.await();
      return code;
    }
  }

  private static RunOutcome here(RunParts parts, RunDirectory run, RunView view)
      throws IOException {
    view.stage("preparing " + parts.settings().get(NETWORK), 0, 0);
    return parts.simulated() ? VirtualTraining.run(parts, run, view) : local(parts, run, view);
  }

  /**
   * Trains in this process. A failure becomes an outcome, with its stack trace in the log, as for a
   * rank.
   */
  private static RunOutcome local(RunParts parts, RunDirectory run, RunView view)
      throws IOException {
    try (PrintStream log =
        new PrintStream(
            Files.newOutputStream(
                run.console(0),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS),
            true,
            StandardCharsets.UTF_8)) {
      try {
        new TrainRank(parts, Communicator.MASTER, new SystemClock(), log)
            .local(run, view::progress);
        return new RunOutcome(0, "");
      } catch (Throwable e) {
        e.printStackTrace(log);
        return FailureKinds.of(e);
      }
    }
  }

  private static RunOutcome launch(RunParts parts, RunLock lock, HostPlan hosts, RunView view) {
    LaunchPlan plan = plan(parts.settings(), lock).surviving(survival(parts)).shownIn(view);
    try {
      return Launcher.run(hosts == null ? plan : hosts.apply(plan));
    } catch (UsageException e) {
      return new RunOutcome(Amb.USAGE, Amb.describe(e));
    } catch (IOException | InterruptedException e) {
      return FailureKinds.of(e);
    }
  }

  private static FailurePolicy survival(RunParts parts) {
    Settings settings = parts.settings();
    return new FailurePolicy(
        parts.minWorkers(),
        Duration.ofMillis((long) (settings.get(DEAD_AFTER) * 1e3)),
        Duration.ofMillis((long) (settings.get(STALL_AFTER) * 1e3)),
        settings.get(RESPAWN));
  }

  private static LaunchPlan plan(Settings settings, RunLock lock) {
    RunDirectory run = lock.run();
    return LaunchPlan.local(
            settings.get(WORKERS) + 1,
            jvmArguments(settings),
            Train.class.getName(),
            settings.with(RUN_DIRECTORY, run.path()).toArguments(),
            run.path(),
            line -> {})
        .withWorkerJvm(List.of("-Xmx" + settings.get(WORKER_HEAP) + "m"))
        .withEnvironment(Map.of(RunLock.VARIABLE, lock.token()))
        .within(Duration.ofMillis((long) (settings.get(START_LIMIT) * 1e3)));
  }

  private static List<String> jvmArguments(Settings settings) {
    String heap = "-Xmx" + settings.get(MASTER_HEAP) + "m";
    return settings.get(SHARED_MEMORY).equals(TrainSettings.NONE)
        ? List.of(heap, "-D" + MpjEngine.SHARED_PROPERTY + "=")
        : List.of(heap);
  }
}
