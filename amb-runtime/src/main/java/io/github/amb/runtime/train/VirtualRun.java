package io.github.amb.runtime.train;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Amb;
import io.github.amb.runtime.console.Terminal;
import io.github.amb.runtime.launch.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A run whose ranks are threads of this process, on the virtual cluster. */
final class VirtualRun {
  private final RunParts run;
  private final RunDirectory directory;
  private final VirtualHost host;
  private final Terminal terminal;

  private VirtualRun(RunParts run, RunDirectory directory, VirtualHost host, Terminal terminal) {
    this.run = run;
    this.directory = directory;
    this.host = host;
    this.terminal = terminal;
  }

  /**
   * Trains; a failure of any rank becomes the outcome, with its trace in the master's log.
   *
   * @param run checked and priced
   * @param terminal gets the master's lines
   * @throws IOException if a log cannot be written
   */
  static Outcome run(RunParts run, RunDirectory directory, Terminal terminal) throws IOException {
    try {
      Simulation simulation = Simulation.of(run);
      try (VirtualHost host = new VirtualHost(run, simulation)) {
        simulation.cluster().run(new VirtualRun(run, directory, host, terminal)::rank);
      }
      return new Outcome(0, "");
    } catch (UsageException e) {
      return new Outcome(Amb.USAGE, Amb.describe(e));
    } catch (RuntimeException | OutOfMemoryError e) {
      try (PrintStream log = log(directory, 0, OutputStream.nullOutputStream())) {
        e.printStackTrace(log);
      }
      return new Outcome(Amb.FAILED, Amb.describe(e));
    }
  }

  private void rank(Communicator communicator, Clock clock) {
    boolean master = communicator.rank() == Communicator.MASTER;
    OutputStream copy = master ? terminal.stream() : OutputStream.nullOutputStream();
    try (PrintStream console = log(directory, communicator.rank(), copy)) {
      TrainRank rank = new TrainRank(run, clock, console, host);
      if (master) {
        rank.master(directory, communicator);
      } else {
        rank.worker(communicator);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PrintStream log(RunDirectory directory, int rank, OutputStream copy)
      throws IOException {
    RankFile file = new RankFile(directory.console(rank), copy);
    return new PrintStream(file, false, StandardCharsets.UTF_8);
  }
}
