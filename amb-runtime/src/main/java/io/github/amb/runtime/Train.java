package io.github.amb.runtime;

import static io.github.amb.runtime.config.TrainSettings.ENGINE;
import static io.github.amb.runtime.config.TrainSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.config.TrainSettings.SIM;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.train.RunParts;
import io.github.amb.runtime.train.RunWriter;
import io.github.amb.runtime.train.TrainRank;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One rank of a training run, started by {@code amb train} or by MPJ Express' own launcher:
 *
 * <pre>scripts/mpjrun -np 3 io.github.amb.runtime.Train mnist fmb rms 64 --data-dir DIR</pre>
 */
public final class Train {
  private Train() {}

  /**
   * Runs one rank.
   *
   * @param arguments MPJ's three, then those of {@code amb train}
   */
  public static void main(String[] arguments) {
    if (!MpjEngine.isRank(arguments)) {
      System.err.println(
          "amb: Train is one rank of a run: use scripts/amb train …, or scripts/mpjrun -np N "
              + Train.class.getName()
              + " …");
      Runtime.getRuntime().halt(Amb.USAGE);
    }
    int rank = Integer.parseInt(arguments[0]);
    List<String> options = Arrays.asList(arguments).subList(3, arguments.length);
    boolean shared = MpjEngine.sharesJvm(arguments);
    try {
      run(arguments, options);
      RankExit.done(rank, shared);
    } catch (UsageException e) {
      RankExit.refused(rank, e, shared);
    } catch (Throwable e) {
      RankExit.failed(rank, e);
    }
  }

  private static void run(String[] arguments, List<String> options) throws IOException {
    Settings typed = CommandLine.parse(options).settings();
    ParentWatch.start();
    if (typed.get(ENGINE).equals(SIM)) {
      throw new UsageException(
          "expected --engine mpj for a rank of MPJ, found sim; use scripts/amb train …");
    }
    MpjEngine engine = MpjEngine.join(arguments);
    if (engine.size() < 2) {
      throw new UsageException(
          "expected at least 2 ranks, a master and a worker, found -np 1; without MPI use"
              + " scripts/amb train … --workers 0");
    }
    RunParts parts = RunParts.of(typed.with(WORKERS, engine.size() - 1));
    TrainRank trainRank = new TrainRank(parts, new SystemClock(), System.out);
    if (engine.rank() == Communicator.MASTER) {
      trainMaster(trainRank, engine, parts.settings(), options);
    } else {
      trainRank.worker(engine);
    }
    // Not after a failure: the others' goodbyes would be waited for.
    engine.close();
  }

  private static void trainMaster(
      TrainRank rank, MpjEngine engine, Settings settings, List<String> options)
      throws IOException {
    if (ParentWatch.isLaunched()) {
      rank.master(new RunDirectory(Path.of(settings.get(RUN_DIRECTORY))), engine);
      return;
    }
    List<String> command = new ArrayList<>(List.of("mpjrun", Train.class.getName()));
    command.addAll(options);
    RunDirectory run = RunWriter.create(settings, command);
    try {
      rank.master(run, engine);
    } catch (Exception | OutOfMemoryError e) {
      RunWriter.end(run, Amb.FAILED, Amb.describe(e));
      throw e;
    }
    RunWriter.end(run, 0, "done");
    System.out.println(run.path());
  }
}
