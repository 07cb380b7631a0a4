package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;

/**
 * The communication of one step on an engine, as in the schemes: parameters to all workers, a
 * gradient from each, and their sum in rank order. Both are in the engine's memory if it lends any.
 * The engine may form the sum.
 */
final class StepExchange {
  private final Communicator communicator;
  private final int length;
  private final Message out = new Message();
  private final Message[] in;
  private final Summation sum;

  StepExchange(Communicator communicator, int length) {
    this.communicator = communicator;
    this.length = length;
    in = new Message[communicator.size()];
    for (int i = 0; i < in.length; i++) {
      in[i] = new Message();
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
