package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.LOG_FREQ;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.LocalTraining;
import io.github.amb.core.scheme.MasterContext;
import io.github.amb.core.scheme.WorkerContext;
import io.github.amb.models.dl4j.Natives;
import io.github.amb.runtime.console.MasterConsole;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.Consumer;

/** One rank's part of a run, on whatever engine carries it. */
public final class TrainRank {
  private final RunParts run;
  private final RankParts parts;
  private final PrintStream console;

  /**
   * @param run the run's parts
   * @param clock the engine's clock
   * @param console where progress is printed
   */
  public TrainRank(RunParts run, Clock clock, PrintStream console) {
    this.run = run;
    this.console = console;
    parts = new RankParts(run, clock);
  }

  /**
   * Trains as the master.
   *
   * @param directory receives the records
   */
  public void master(RunDirectory directory, Communicator communicator) throws IOException {
    try (RecordLog log = new RecordLog(directory)) {
      var everything = log.andThen(progress(communicator.size() - 1));
      GradientSource source = parts.source();
      RunWriter.addEnvironment(directory, Natives.describe());
      MasterContext master = parts.master(source, everything);
      try {
        run.scheme().runMaster(master, communicator);
      } finally {
        master.evaluator().close();
      }
    }
  }

  /** Trains as a worker. */
  public void worker(Communicator communicator) {
    try (GradientSource source = parts.source()) {
      int workers = communicator.size() - 1;
      run.scheme()
          .runWorker(parts.worker(communicator.rank(), workers, source, console), communicator);
    }
  }

  /** Trains in this process, without messages. */
  public void local(RunDirectory directory) throws IOException {
    try (RecordLog log = new RecordLog(directory);
        GradientSource gradients = parts.source()) {
      Consumer<LogRecord> everything = log.andThen(progress(0));
      RunWriter.addEnvironment(directory, Natives.describe());
      MasterContext master = parts.master(parts.source(), everything);
      WorkerContext worker = recorded(parts.worker(1, 1, gradients, console), everything);
      try {
        new LocalTraining(master, worker, run.scheme().batchPolicy()).run();
      } finally {
        master.evaluator().close();
      }
    }
  }

  private MasterConsole progress(int workers) {
    return new MasterConsole(console, workers, run.settings().get(LOG_FREQ));
  }

  private static WorkerContext recorded(WorkerContext worker, Consumer<? super WorkerRecord> log) {
    return new WorkerContext(
        worker.rank(),
        worker.clock(),
        worker.source(),
        worker.order(),
        worker.delays(),
        worker.streams(),
        worker.update(),
        log);
  }
}
