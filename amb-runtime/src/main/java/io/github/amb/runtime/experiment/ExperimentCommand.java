package io.github.amb.runtime.experiment;

import static io.github.amb.runtime.config.SimSettings.COST;
import static io.github.amb.runtime.config.SimSettings.COST_PER_EXAMPLE;
import static io.github.amb.runtime.config.SimSettings.MEASURED;
import static io.github.amb.runtime.host.RankSettings.ENGINE;
import static io.github.amb.runtime.host.RankSettings.SIM;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopHook;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Options;

/** {@code amb experiment}: makes the runs of a file, and a report of them. */
public class ExperimentCommand extends OptionsCommand {
  private static final String LIST = "list";

  /** Prints to standard output. */
  public ExperimentCommand() {
    this(
        "experiment",
        "FILE|NAME|list",
        "make the runs of a file, compare them with intervals, and write a report");
  }

  ExperimentCommand(String name, String synopsis, String summary) {
    super(name, synopsis, summary);
  }

  @Override
  public List<String> words() {
    return List.of(LIST);
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        check          Exit with code 4 if a number leaves the interval claimed, or variants the order.
        quick          The short form of the file's section quick.
        report         Write the report of the runs that there are; make none.
        any-build      Runs of other builds of AMB count, too.
        budget U=N     End runs and take numbers where updates=N, examples=N, bytes=N or seconds=N are used.
        jobs N         Runs at a time. Default: the number of cores; 1 if a run has processes.
        out DIR        Runs and report. Default: runs/NAME.
        data-dir DIR   Where the data sets' files are.
        """);
  }

  @Override
  protected int run(Arguments given) throws IOException, InterruptedException {
    String name = given.single("one experiment's file or name, or list");
    if (name.equals(LIST)) {
      out.print(ShippedExperiments.list(false));
      return 0;
    }
    Experiment experiment =
        ExperimentFile.read(
            ShippedExperiments.file(name), given.has("quick"), given.value("budget", null));
    Path folder =
        Path.of(given.value("out", "runs/" + experiment.name())).toAbsolutePath().normalize();
    int jobs = jobs(given, experiment.variants());
    Files.createDirectories(folder);
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("experiment.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock == null) {
        throw new UsageException(
            "--out: expected a directory that no other amb experiment uses, found " + folder);
      }
      return made(given, experiment, folder, Math.max(1, jobs));
    }
  }

  /** Makes the runs, after those of the search if there is one, and the report. */
  private int made(Arguments given, Experiment file, Path folder, int jobs)
      throws IOException, InterruptedException {
    ProgramProcess program = new ProgramProcess(file.heap(), cores(jobs));
    ExperimentSearch.Planner planner =
        one ->
            ExperimentPlan.of(one, given.value("data-dir", null), folder, given.has("any-build"));
    List<String> failures = new ArrayList<>();
    try (JvmPool pool = new JvmPool(program)) {
      boolean pooled = file.variants().stream().allMatch(ExperimentCommand::isUntimed);
      ExperimentRuns.Starter starter = pooled ? pool::start : program::start;
      ExperimentSearch.Maker maker =
          given.has("report")
              ? runs -> {}
              : runs -> failures.addAll(make(runs, folder, starter, jobs, file.search() == null));
      ExperimentSearch.Found found = ExperimentSearch.of(file, planner, maker);
      if (found.experiment().variants().isEmpty()) {
        failures.add("no trial of the search is done; without --report its runs are made");
        failures.forEach(line -> System.err.println("amb: " + line));
        return ExitCode.FAILED;
      }
      Experiment experiment = found.experiment();
      List<ExperimentRun> runs = planner.runs(experiment);
      if (found.isComplete()) {
        maker.make(runs);
      }
      ExperimentResults results = ExperimentResults.read(experiment, runs);
      report(experiment, results, runs, ExperimentSearch.page(file, found), folder, program);
      List<String> broken = given.has("check") ? results.broken() : List.of();
      results.warnings().forEach(line -> System.err.println("amb: warning: " + line));
      failures.forEach(line -> System.err.println("amb: " + line));
      broken.forEach(line -> System.err.println("amb: " + line));
      return !failures.isEmpty() ? ExitCode.FAILED : broken.isEmpty() ? 0 : ExitCode.CLAIM_BROKEN;
    }
  }

  /** Ranks of a real engine need the cores themselves. */
  private static int jobs(Arguments given, List<ExperimentVariant> variants) {
    boolean virtual = variants.stream().allMatch(one -> one.settings().get(ENGINE).equals(SIM));
    int cores = Runtime.getRuntime().availableProcessors();
    return (int) given.number("jobs").orElse(virtual ? cores : 1);
  }

  /** What Java takes the machine to have, so that runs side by side share it. */
  private static int cores(int jobs) {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / Math.max(1, jobs));
  }

  /** Makes what is missing; returns why runs have failed, a line each. */
  private List<String> make(
      List<ExperimentRun> runs,
      Path folder,
      ExperimentRuns.Starter starter,
      int jobs,
      boolean alone)
      throws IOException, InterruptedException {
    ExperimentRuns all = new ExperimentRuns(runs, folder.resolve("logs"), starter, out);
    StopHook hook = new StopHook("experiment-stop", () -> stop(all));
    try {
      return all.make(jobs, alone);
    } finally {
      hook.close();
    }
  }

  /** Whether a run measures no times, which differ in a process that has trained before. */
  private static boolean isUntimed(ExperimentVariant variant) {
    Settings settings = variant.settings();
    return settings.get(ENGINE).equals(SIM)
        && settings.has(COST_PER_EXAMPLE)
        && !(settings.has(COST) && settings.get(COST).equals(MEASURED));
  }

  private void report(
      Experiment experiment,
      ExperimentResults results,
      List<ExperimentRun> runs,
      String trials,
      Path folder,
      ProgramProcess program)
      throws IOException, InterruptedException {
    RecordedRuns recorded = RecordedRuns.read(runs);
    List<String> figures =
        new FigureFiles(folder, program::start, System.err).draw(experiment.figures(), runs);
    Path page = folder.resolve("report.md");
    Files.writeString(
        page, ExperimentReport.of(experiment, results, recorded, runs, trials, figures));
    Files.writeString(folder.resolve("report.csv"), ExperimentData.csv(experiment, results));
    Files.writeString(
        folder.resolve("report.json"), ExperimentData.json(experiment, results, recorded));
    out.println(page);
  }

  private static void stop(ExperimentRuns runs) {
    runs.stop();
    System.err.println(
        "amb: " + RunOutcome.INTERRUPTED + "; run the same command again to continue");
    Runtime.getRuntime().halt(ExitCode.STOPPED);
  }
}
