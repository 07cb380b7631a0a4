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
import io.github.amb.runtime.console.MasterConsole;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.Consumer;

/** One rank's part of a run, on whatever engine carries it. */
public final class TrainRank {
  private final RunParts run;
  private final RankParts parts;
  private final RankHost host;
  private final PrintStream console;

  /**
   * A rank in a process of its own.
   *
   * @param run the run's parts
   * @param clock the engine's clock
   * @param console where progress is printed
   */
  public TrainRank(RunParts run, Clock clock, PrintStream console) {
    this(run, clock, console, new ProcessHost(run));
  }

  TrainRank(RunParts run, Clock clock, PrintStream console, RankHost host) {
    this.run = run;
    this.host = host;
    this.console = console;
    parts = new RankParts(run, clock, host);
  }

  /**
   * Trains as the master.
   *
   * @param directory receives the records and the final parameters
   */
  public void master(RunDirectory directory, Communicator communicator) throws IOException {
    try (RecordLog log = new RecordLog(directory)) {
      Consumer<LogRecord> everything = log.andThen(progress(console, communicator.size() - 1));
      MasterContext master = startMaster(directory, everything);
      train(directory, master, () -> run.scheme().runMaster(master, communicator));
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

  /**
   * Trains in this process, without messages.
   *
   * @param directory receives the records and the final parameters
   * @param terminal gets the master's lines, as the console does
   */
  public void local(RunDirectory directory, PrintStream terminal) throws IOException {
    try (RecordLog log = new RecordLog(directory);
        GradientSource gradients = parts.source()) {
      Consumer<LogRecord> everything =
          log.andThen(progress(console, 0)).andThen(progress(terminal, 0));
      MasterContext master = startMaster(directory, everything);
      WorkerContext worker = recorded(parts.worker(1, 1, gradients, console), everything);
      LocalTraining training = new LocalTraining(master, worker, run.scheme().batchPolicy());
      train(directory, master, training::run);
    }
  }

  private MasterContext startMaster(RunDirectory directory, Consumer<LogRecord> log)
      throws IOException {
    GradientSource source = parts.source();
    RunWriter.addEnvironment(directory, host.describe());
    return parts.master(source, run.timingOnly() ? new TimingRecords(log) : log);
  }

  private void train(RunDirectory directory, MasterContext master, Runnable training)
      throws IOException {
    try {
      training.run();
    } finally {
      master.evaluator().close();
    }
    if (!run.timingOnly()) {
      ParameterFile.write(directory, master.update().rule().steps(), master.parameters());
    }
  }

  private MasterConsole progress(PrintStream out, int workers) {
    return new MasterConsole(out, workers, run.settings().get(LOG_FREQ));
  }

  /** {@code worker}, whose records go to {@code log}, too. */
  private static WorkerContext recorded(WorkerContext worker, Consumer<? super WorkerRecord> log) {
    return new WorkerContext(
        worker.rank(),
        worker.clock(),
        worker.source(),
        worker.order(),
        worker.delays(),
        worker.streams(),
        worker.update(),
        step -> {
          worker.log().accept(step);
          log.accept(step);
        });
  }
}
