package io.github.amb.bench;

import io.github.amb.bench.harness.BenchRank;
import io.github.amb.bench.harness.StandInSource;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.record.BackgroundLog;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.runtime.command.Program;
import io.github.amb.runtime.console.MasterConsole;
import io.github.amb.runtime.console.WorkerConsole;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One rank of a training run without arithmetic and evaluations. */
public final class OverheadRank {
  private static final int BATCH_SIZE = 64;
  private static final Clock CLOCK = new SystemClock();

  private OverheadRank() {}

  /** The arguments of a rank after MPJ's three. */
  static List<String> arguments(int parameters, double compute, int steps, Path run) {
    return List.of(
        Integer.toString(parameters),
        Double.toString(compute),
        Integer.toString(steps),
        run.toString());
  }

  /** Runs one rank and ends the process. */
  public static void main(String[] arguments) {
    Program.start();
    BenchRank.run(arguments, OverheadRank::run);
  }

  private static void run(Communicator communicator, String[] options) throws IOException {
    Scheme scheme =
        Schemes.named("fmb").create(new SchemeOptions(BATCH_SIZE, communicator.size() - 1));
    int parameters = Integer.parseInt(options[0]);
    var source = new StandInSource(parameters, Double.parseDouble(options[1]), CLOCK);
    if (communicator.rank() > Communicator.MASTER) {
      var console = new WorkerConsole(System.out, false);
      int workers = communicator.size() - 1;
      scheme.runWorker(source.worker(communicator.rank(), workers, console), communicator);
      return;
    }
    var console = new MasterConsole(System.out, communicator.size() - 1, 1, System.err::println);
    try (RecordLog records = new RecordLog(new RunDirectory(Path.of(options[3])));
        BackgroundLog log = new BackgroundLog(records.andThen(console))) {
      StopRule stop = StopRule.after(Integer.parseInt(options[2]));
      scheme.runMaster(source.master(stop, log), communicator);
    }
  }
}
