package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;

/**
 * The communication of one step on an engine, as in the schemes: parameters to all workers, a
 * gradient from each, and their sum in rank order. Both are in the engine's memory if it lends any.
 * The engine may form the sum.
 */
final class StepExchange {
  private final Communicator communicator;
  private final int length;
  private final Frame out = new Frame();
  private final Frame[] in;
  private final Summation sum;

  StepExchange(Communicator communicator, int length) {
    this.communicator = communicator;
    this.length = length;
    in = new Frame[communicator.size()];
    for (int i = 0; i < in.length; i++) {
      in[i] = new Frame();
    }
    sum = new Summation(communicator.rank() == MASTER ? length : 0, communicator.size());
  }

  /** One step of this rank. */
  void step(int number) {
    if (communicator.rank() == MASTER) {
      master(number);
    } else {
      communicator.receive(MASTER, in[0], NEVER);
      in[0].release();
      prepare(MASTER, Frame.Kind.GRADIENT, number);
      if (communicator.reduces(length)) {
        out.reduce();
      }
      communicator.send(MASTER, out, NEVER);
    }
  }

  private void prepare(int to, Frame.Kind kind, int number) {
    out.reset(kind, number);
    if (!communicator.lend(to, out, length)) {
      out.ensureCapacity(length);
    }
  }

  private void master(int number) {
    prepare(ANY, Frame.Kind.PARAMETERS, number);
    communicator.broadcast(out, NEVER);
    Frame spare = in[0];
    for (int i = 1; i < in.length; i++) {
      communicator.receive(ANY, spare, NEVER);
      int source = spare.source();
      Frame held = in[source];
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
    for (Frame frame : in) {
      frame.release();
    }
  }
}
