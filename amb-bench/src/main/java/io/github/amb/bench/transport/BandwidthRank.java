package io.github.amb.bench.transport;

import io.github.amb.core.command.Program;
import io.github.amb.core.engine.SystemClock;

/**
 * One rank of {@link BandwidthBenchmark}, on MPJ or on the site's MPI, depending on the launcher.
 * The master prints one line per step.
 */
public final class BandwidthRank {
  private BandwidthRank() {}

  /** Runs {@code length steps}, the arguments after the launcher's. */
  public static void main(String[] args) {
    Program.start();
    BenchRank.run(
        args,
        (engine, own) ->
            new StarExchange(engine, new SystemClock(), Integer.parseInt(own[0]))
                .run(
                    Integer.parseInt(own[1]),
                    (reduce, broadcast) -> System.out.println("step " + reduce + " " + broadcast)));
  }
}
