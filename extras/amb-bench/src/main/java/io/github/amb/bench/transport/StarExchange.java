package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.bench.harness.BenchRank;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.runtime.command.Program;

/**
 * Sums an array from every worker at the master, then broadcasts one, on any engine. As a program
 * it is a rank on MPJ or on the site's MPI, depending on the launcher, and the master prints one
 * line per step.
 */
public final class StarExchange {
  private static final int WARM_UP = 3;

  /** Receives the seconds of a step's reduction and broadcast; at the master only. */
  @FunctionalInterface
  interface Listener {
    void step(double reduce, double broadcast);
  }

  private final Communicator communicator;
  private final Clock clock;
  private final int length;
  private final Message out = new Message();
  private Message in = new Message();

  StarExchange(Communicator communicator, Clock clock, int length) {
    this.communicator = communicator;
    this.clock = clock;
    this.length = length;
  }

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

  /** Performs {@code steps} steps, after three for warm-up. */
  void run(int steps, Listener listener) {
    for (int step = -WARM_UP; step < steps; step++) {
      if (communicator.rank() == MASTER) {
        master(step, listener);
      } else {
        out.reset(Message.Kind.GRADIENT, step).ensureCapacity(length);
        communicator.send(MASTER, out, NEVER);
        communicator.receive(MASTER, in, NEVER);
      }
    }
  }

  private void master(int step, Listener listener) {
    long start = clock.now();
    out.reset(Message.Kind.PARAMETERS, step).ensureCapacity(length);
    for (int worker = 1; worker < communicator.size(); worker++) {
      communicator.receive(ANY, in, NEVER);
      float[] sum = out.values();
      float[] values = in.values();
      for (int i = 0; i < length; i++) {
        sum[i] += values[i];
      }
    }
    long reduced = clock.now();
    communicator.broadcast(out, NEVER);
    if (step >= 0) {
      listener.step(Clock.seconds(start, reduced), Clock.seconds(reduced, clock.now()));
    }
  }
}
