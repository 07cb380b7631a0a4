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
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The communication of one step on an engine, as in the schemes: parameters to all workers, a
 * gradient from each, and their sum in rank order. Both are in the engine's memory if it lends any.
 * The sum may be formed on the way.
 */
public final class StepExchange {
  private static final int WARM_UP = 3;

  private final Communicator communicator;
  private final Clock clock;
  private final int length;
  private final Message out = new Message();
  private final Message[] in;
  private final Summation sum;

  private long sent; // when the parameters had been sent

  /**
   * @param clock measures the parts of a step
   */
  StepExchange(Communicator communicator, Clock clock, int length) {
    this.communicator = communicator;
    this.clock = clock;
    this.length = length;
    in = new Message[communicator.size()];
    Arrays.setAll(in, i -> new Message());
    sum = new Summation(communicator.rank() == MASTER ? length : 0, communicator.size());
  }

  /**
   * A rank of the master and its workers, depending on the launcher. The master prints a line per
   * step. The arguments after the launcher's are {@code length steps}.
   */
  public static void main(String[] args) {
    Program.start();
    BenchRank.run(
        args,
        (engine, own) ->
            new StepExchange(engine, new SystemClock(), Integer.parseInt(own[0]))
                .run(
                    Integer.parseInt(own[1]),
                    times -> System.out.println("step " + times[0] + " " + times[1])));
  }

  /**
   * Performs steps, after three for warm-up.
   *
   * @param times receives the seconds of a step's reduction and broadcast; at the master only
   */
  void run(int steps, Consumer<double[]> times) {
    for (int step = -WARM_UP; step < steps; step++) {
      long start = clock.now();
      step(step);
      if (step >= 0 && communicator.rank() == MASTER) {
        times.accept(new double[] {Clock.seconds(sent, clock.now()), Clock.seconds(start, sent)});
      }
    }
  }

  /** One step of this rank. */
  void step(int number) {
    if (communicator.rank() == MASTER) {
      master(number);
    } else {
      communicator.receive(MASTER, in[0], NEVER);
      in[0].release();
      prepare(MASTER, Message.Kind.GRADIENT, number);
      if (communicator.reduces(length)) {
        out.reduce();
      }
      communicator.send(MASTER, out, NEVER);
    }
  }

  private void prepare(int to, Message.Kind kind, int number) {
    out.reset(kind, number);
    if (!communicator.lend(to, out, length)) {
      out.ensureCapacity(length);
    }
  }

  private void master(int number) {
    prepare(ANY, Message.Kind.PARAMETERS, number);
    communicator.broadcast(out, NEVER);
    sent = clock.now();
    Message spare = in[0];
    for (int i = 1; i < in.length; i++) {
      communicator.receive(ANY, spare, NEVER);
      int source = spare.source();
      Message held = in[source];
      in[source] = spare;
      spare = held;
    }
    in[0] = spare;
    for (int worker = 1; worker < in.length; worker++) {
      if (in[worker].length() > 0) {
        sum.add(in[worker].payload());
      }
    }
    sum.form();
    for (Message message : in) {
      message.release();
    }
  }
}
