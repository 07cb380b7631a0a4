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
    List<ExperimentRun> runs =
        ExperimentPlan.of(
            experiment, given.value("data-dir", null), folder, given.has("any-build"));
    int jobs = jobs(given, runs);
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
      ProgramProcess program = new ProgramProcess(experiment.heap(), cores(jobs));
      List<String> failures =
          given.has("report") ? List.of() : make(runs, folder, program, Math.max(1, jobs));
      ExperimentResults results = ExperimentResults.read(experiment, runs);
      report(experiment, results, runs, folder, program);
      List<String> broken = given.has("check") ? results.broken() : List.of();
      results.coarse().forEach(line -> System.err.println("amb: warning: " + line));
      for (PairedComparison comparison : experiment.comparisons()) {
        results
            .edges(comparison)
            .forEach(
                edge ->
                    System.err.println(
                        "amb: warning: %s: the best point of %s is at an end of it: %s"
                            .formatted(comparison.name(), comparison.best(), edge)));
      }
      failures.forEach(line -> System.err.println("amb: " + line));
      broken.forEach(line -> System.err.println("amb: " + line));
      return !failures.isEmpty() ? ExitCode.FAILED : broken.isEmpty() ? 0 : ExitCode.CLAIM_BROKEN;
    }
  }

  /** Ranks of a real engine need the cores themselves. */
  private static int jobs(Arguments given, List<ExperimentRun> runs) {
    boolean virtual = runs.stream().allMatch(run -> run.settings().get(ENGINE).equals(SIM));
    int cores = Runtime.getRuntime().availableProcessors();
    return (int) given.number("jobs").orElse(virtual ? cores : 1);
  }

  /** What Java takes the machine to have, so that runs side by side share it. */
  private static int cores(int jobs) {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / Math.max(1, jobs));
  }

  /** Makes what is missing; returns why runs have failed, a line each. */
  private List<String> make(List<ExperimentRun> runs, Path folder, ProgramProcess program, int jobs)
      throws IOException, InterruptedException {
    try (JvmPool pool = new JvmPool(program)) {
      ExperimentRuns.Starter starter =
          runs.stream().allMatch(ExperimentCommand::isUntimed) ? pool::start : program::start;
      ExperimentRuns all = new ExperimentRuns(runs, folder.resolve("logs"), starter, out);
      StopHook hook = new StopHook("experiment-stop", () -> stop(all));
      try {
        return all.make(jobs);
      } finally {
        hook.close();
      }
    }
  }

  /** Whether a run measures no times, which differ in a process that has trained before. */
  private static boolean isUntimed(ExperimentRun run) {
    Settings settings = run.settings();
    return settings.get(ENGINE).equals(SIM)
        && settings.has(COST_PER_EXAMPLE)
        && !(settings.has(COST) && settings.get(COST).equals(MEASURED));
  }

  private void report(
      Experiment experiment,
      ExperimentResults results,
      List<ExperimentRun> runs,
      Path folder,
      ProgramProcess program)
      throws IOException, InterruptedException {
    RecordedRuns recorded = RecordedRuns.read(runs);
    List<String> figures =
        new FigureFiles(folder, program::start, System.err).draw(experiment.figures(), runs);
    Path page = folder.resolve("report.md");
    Files.writeString(page, ExperimentReport.of(experiment, results, recorded, runs, figures));
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
