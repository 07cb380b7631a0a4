package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.MalformedFrameException;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The master's links to workers that answer parameters with one result each. A worker is busy from
 * when parameters are sent to it until its result has come; only idle workers are sent any.
 */
final class WorkerLinks {
  private final MasterContext master;
  private final Communicator communicator;
  private final Frame.Kind answer;
  private final int workers;
  private final boolean[] busy;
  private final long[] sent;
  private final Frame frame = new Frame();
  private int busyCount;
  private double learningRate;
  private double timeLimit;

  /**
   * @param answer kind of the workers' results
   */
  WorkerLinks(MasterContext master, Communicator communicator, Frame.Kind answer) {
    this.master = master;
    this.communicator = communicator;
    this.answer = answer;
    workers = communicator.size() - 1;
    busy = new boolean[workers + 1];
    sent = new long[workers + 1];
  }

  int workers() {
    return workers;
  }

  /** Waits until every worker is ready. */
  void awaitReady() {
    for (int worker = 0; worker < workers; worker++) {
      communicator.receive(Communicator.ANY, frame, Clock.NEVER);
      expect(frame, Frame.Kind.READY, 0);
    }
  }

  boolean isBusy(int rank) {
    return busy[rank];
  }

  /** Index of the learning rate in parameters sent, for workers that update locally. */
  static final int LEARNING_RATE = 0;

  /** Index of the workers' time limit in parameters sent, seconds; 0 if the master sets none. */
  static final int TIME_LIMIT = 1;

  /** Sets the time limit that goes with parameters. */
  void timeLimit(double seconds) {
    timeLimit = seconds;
  }

  /** Sets the learning rate that goes with parameters. */
  void learningRate(double rate) {
    learningRate = rate;
  }

  /** Sends the master's parameters, those of {@code step}, to every idle worker. */
  void sendToIdle(long step) {
    if (busyCount > 0) {
      for (int rank = 1; rank <= workers; rank++) {
        if (!busy[rank]) {
          send(rank, step);
        }
      }
      return;
    }
    communicator.broadcast(parameters(step), Clock.NEVER);
    Arrays.fill(busy, 1, workers + 1, true);
    Arrays.fill(sent, master.clock().now());
    busyCount = workers;
  }

  /** Sends the master's parameters, those of {@code step}, to an idle worker. */
  void send(int rank, long step) {
    communicator.send(rank, parameters(step), Clock.NEVER);
    busy[rank] = true;
    sent[rank] = master.clock().now();
    busyCount++;
  }

  private Frame parameters(long step) {
    if (frame.loan() == null || frame.step() != step) {
      frame.reset(Frame.Kind.PARAMETERS, step);
      frame.exchange(master.parameters(), master.parameters().length);
    }
    frame.stat(LEARNING_RATE, learningRate);
    frame.stat(TIME_LIMIT, timeLimit);
    return frame;
  }

  /**
   * Prepares to send the parameters of a step to all workers at once.
   *
   * @return where an update may write them, so that they need not be copied; null if nowhere
   */
  FloatBuffer prepare(long step) {
    frame.reset(Frame.Kind.PARAMETERS, step);
    boolean lent =
        busyCount == 0 && communicator.lend(Communicator.ANY, frame, master.parameters().length);
    return lent ? frame.payload() : null;
  }

  /** Says whether what {@link #prepare} returned has been written to, all of it. */
  void prepared(boolean written) {
    if (!written) {
      frame.release();
    }
  }

  /** Waits for the next result; its worker is idle then. */
  void receive(Frame result) {
    communicator.receive(Communicator.ANY, result, Clock.NEVER);
    accept(result);
  }

  /** Takes a frame that has been received for a result; its worker is idle then. */
  void accept(Frame result) {
    expect(result, answer, master.parameters().length);
    busy[result.source()] = false;
    busyCount--;
  }

  /** Seconds since parameters were last sent to a worker. */
  double waitTime(int rank) {
    return Clock.seconds(sent[rank], master.clock().now());
  }

  /** Tells every worker that training is over, and takes in what is still under way. */
  void stop(Progress progress) {
    communicator.broadcast(new Frame().reset(Frame.Kind.STOP, progress.step()), Clock.NEVER);
    Frame late = new Frame();
    while (busyCount > 0) {
      receive(late);
      progress.dropped(late);
    }
  }

  private void expect(Frame found, Frame.Kind kind, int length) {
    boolean owed = kind == Frame.Kind.READY || busy[found.source()];
    boolean whole = found.length() == length || found.isReduced() && found.length() == 0;
    if (found.kind() != kind || !whole || !owed) {
      throw new MalformedFrameException(
          found.source(),
          "expected %s with %d values from a worker that owes one, found %s of step %d with %d"
              .formatted(kind, length, found.kind(), found.step(), found.length()));
    }
  }
}
