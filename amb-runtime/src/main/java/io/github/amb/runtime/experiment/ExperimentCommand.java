package io.github.amb.runtime.experiment;

import static io.github.amb.runtime.config.SimSettings.COST;
import static io.github.amb.runtime.config.SimSettings.COST_PER_EXAMPLE;
import static io.github.amb.runtime.config.SimSettings.MEASURED;
import static io.github.amb.runtime.host.RankSettings.ENGINE;
import static io.github.amb.runtime.host.RankSettings.SIM;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.plots.LatexTable;
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
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
        part I/N       Make the I-th of N parts of the runs, and no report.
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
        Path.of(given.value("out", "runs/" + experiment.about().name()))
            .toAbsolutePath()
            .normalize();
    Files.createDirectories(folder);
    try (FileChannel file =
            FileChannel.open(
                folder.resolve(given.value("part", "experiment").replace('/', '-') + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock == null) {
        throw new UsageException(
            "--out: expected a directory that no other amb experiment uses, found " + folder);
      }
      return made(given, experiment, folder);
    }
  }

  /** Makes the runs, after those of the search if there is one, and the report. */
  private int made(Arguments given, Experiment file, Path folder)
      throws IOException, InterruptedException {
    // Ranks of a real engine need the cores themselves. Java gets a run's share alone.
    int cores = Runtime.getRuntime().availableProcessors();
    boolean virtual =
        file.variants().stream().allMatch(one -> one.settings().get(ENGINE).equals(SIM));
    int jobs = (int) Math.max(1, given.number("jobs").orElse(virtual ? cores : 1));
    ProgramProcess program = new ProgramProcess(file.heap(), Math.max(1, cores / jobs));
    List<String> failures = new ArrayList<>();
    try (JvmPool pool = new JvmPool(program)) {
      ExperimentRuns.Starter starter =
          file.variants().stream().allMatch(ExperimentCommand::isUntimed)
              ? pool::start
              : program::start;
      ExperimentSearch.Maker maker =
          one -> {
            List<ExperimentRun> runs =
                ExperimentPlan.of(
                    one, given.value("data-dir", null), folder, given.has("any-build"));
            if (!given.has("report")) {
              List<ExperimentRun> own = part(given, runs);
              Path logs = folder.resolve("logs");
              boolean alone = own.size() == runs.size() && file.search() == null;
              failures.addAll(make(new ExperimentRuns(own, logs, starter, out), jobs, alone));
            }
            return runs;
          };
      ExperimentSearch.Found found = ExperimentSearch.of(file, maker);
      Experiment experiment = found.experiment();
      boolean ready = found.isComplete() || given.has("report");
      List<ExperimentRun> runs = ready ? maker.made(experiment) : List.of();
      if (runs.isEmpty() || given.has("part")) {
        failures.forEach(line -> System.err.println("amb: " + line));
        out.println("no report: when all parts are done, run the command again without --part");
        return failures.isEmpty() ? 0 : ExitCode.FAILED;
      }
      ExperimentResults results = ExperimentResults.read(experiment, runs);
      RecordedRuns recorded = RecordedRuns.read(runs);
      FigureFiles drawer = new FigureFiles(folder, program::start, System.err);
      List<String> figures =
          new ArrayList<>(drawer.draw(ExperimentFigures.of(experiment, results, found.trials())));
      figures.addAll(drawer.draw(experiment.figures(), runs));
      String trials = ExperimentSearch.page(file, found);
      String page = ExperimentReport.of(experiment, results, recorded, runs, trials, figures);
      Files.writeString(folder.resolve("report.md"), page);
      Files.writeString(folder.resolve("report.tex"), LatexTable.ofPage(page));
      Files.writeString(folder.resolve("report.csv"), ExperimentData.csv(experiment, results));
      Files.writeString(
          folder.resolve("report.json"), ExperimentData.json(experiment, results, recorded));
      out.println(folder.resolve("report.md"));
      List<String> broken = given.has("check") ? results.broken() : List.of();
      results.warnings().forEach(line -> System.err.println("amb: warning: " + line));
      failures.forEach(line -> System.err.println("amb: " + line));
      broken.forEach(line -> System.err.println("amb: " + line));
      return !failures.isEmpty() ? ExitCode.FAILED : broken.isEmpty() ? 0 : ExitCode.CLAIM_BROKEN;
    }
  }

  /** Makes what is missing; returns why runs have failed, a line each. */
  private static List<String> make(ExperimentRuns runs, int jobs, boolean alone)
      throws IOException, InterruptedException {
    StopHook hook = new StopHook("experiment-stop", () -> stop(runs));
    try {
      return runs.make(jobs, alone);
    } finally {
      hook.close();
    }
  }

  /** The runs of one of several programs that make an experiment together. */
  private static List<ExperimentRun> part(Arguments given, List<ExperimentRun> runs) {
    String text = given.value("part", "1/1");
    int[] part =
        text.matches("\\d{1,6}/\\d{1,6}")
            ? Arrays.stream(text.split("/")).mapToInt(Integer::parseInt).toArray()
            : new int[2];
    if (part[0] < 1 || part[0] > part[1]) {
      throw new UsageException("--part: expected I/N with I from 1 to N, found '%s'", text);
    }
    return IntStream.range(0, runs.size())
        .filter(i -> i % part[1] == part[0] - 1)
        .mapToObj(runs::get)
        .toList();
  }

  /** Whether a run measures no times, which differ in a process that has trained before. */
  private static boolean isUntimed(ExperimentVariant variant) {
    Settings settings = variant.settings();
    return settings.get(ENGINE).equals(SIM)
        && settings.has(COST_PER_EXAMPLE)
        && !(settings.has(COST) && settings.get(COST).equals(MEASURED));
  }

  private static void stop(ExperimentRuns runs) {
    runs.stop();
    System.err.println(
        "amb: " + RunOutcome.INTERRUPTED + "; run the same command again to continue");
    Runtime.getRuntime().halt(ExitCode.STOPPED);
  }
}
