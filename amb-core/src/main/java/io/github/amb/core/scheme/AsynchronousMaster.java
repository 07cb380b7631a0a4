package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.update.NonFiniteGradientException;
import java.nio.FloatBuffer;

/**
 * The master of every scheme in which each gradient is an update of its own, applied as it comes:
 * receive a gradient sum, divide it by its examples, update, and send the newest parameters to the
 * workers that may go on.
 */
final class AsynchronousMaster {
  private final MasterContext master;
  private final Communicator communicator;
  private final WorkerLinks links;
  private final BatchClocks clocks;
  private final GradientCorrection correction;
  private final Frame gradient = new Frame();
  private final FloatBuffer[] sums = new FloatBuffer[1];
  private final int[] ranks = new int[1];
  private double sendTime;

  /**
   * @param staleness the most batches that a worker may be ahead of the slowest, s; {@link
   *     BatchClocks#UNBOUNDED} for no limit
   * @param correction changes gradients before they are applied
   */
  AsynchronousMaster(
      MasterContext master,
      Communicator communicator,
      long staleness,
      GradientCorrection correction) {
    this.master = master;
    this.communicator = communicator;
    this.correction = correction;
    links = new WorkerLinks(master, communicator, Frame.Kind.GRADIENT);
    clocks = new BatchClocks(links.workers(), staleness);
  }

  void run() {
    links.awaitReady();
    Progress progress = new Progress(master);
    if (!progress.over()) {
      sendToAll();
      step(progress);
    }
    while (!progress.over()) {
      release(progress);
      step(progress);
    }
    progress.finish();
    links.stop(progress);
  }

  private void sendToAll() {
    long start = master.clock().now();
    links.sendToIdle(1);
    for (int rank = 1; rank <= links.workers(); rank++) {
      correction.sent(rank, master.parameters());
    }
    sendTime = Clock.seconds(start, master.clock().now());
  }

  private void step(Progress progress) {
    links.receive(gradient);
    long arrived = master.clock().now();
    int rank = gradient.source();
    long examples = gradient.examples();
    progress.used(gradient, links.waitTime(rank));
    progress.collected(1, 0, examples);
    correction.correct(gradient, master.parameters());
    sums[0] = gradient.payload();
    ranks[0] = rank;
    double learningRate = update(progress, examples);
    gradient.release();
    clocks.advance(rank);
    progress.record(
        gradient.stat(GradientStats.LOSS_SUM),
        learningRate,
        examples,
        new Progress.Cost(
            Clock.seconds(arrived, master.clock().now()),
            sendTime,
            communicator.bytesSent(),
            communicator.bytesReceived()));
  }

  private double update(Progress progress, long examples) {
    try {
      return progress.update(sums, ranks, 1, examples);
    } catch (NonFiniteGradientException e) {
      throw GradientStats.named(e, gradient);
    }
  }

  /** Sends parameters to the worker that has just been served, or to all it held up. */
  private void release(Progress progress) {
    long start = master.clock().now();
    if (clocks.slowestAdvanced()) {
      for (int rank = 1; rank <= links.workers(); rank++) {
        release(rank, progress);
      }
    } else {
      release(gradient.source(), progress);
    }
    sendTime = Clock.seconds(start, master.clock().now());
  }

  private void release(int rank, Progress progress) {
    if (!links.isBusy(rank) && clocks.mayStart(rank)) {
      links.send(rank, progress.step() + 1);
      correction.sent(rank, master.parameters());
    }
  }
}
