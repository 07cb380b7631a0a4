package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.WorkerRecord;

/**
 * The master of every scheme in which one update takes one gradient from every worker: broadcast
 * the parameters, gather the gradient sums, divide once by the number of all examples, update.
 */
final class SynchronousMaster {
  private final MasterContext master;
  private final Communicator communicator;
  private final int workers;
  private final Frame parameters = new Frame();
  private final Frame[] gradients;
  private final float[][] sums;
  private final int[] ranks;
  private Frame spare = new Frame();

  SynchronousMaster(MasterContext master, Communicator communicator) {
    this.master = master;
    this.communicator = communicator;
    workers = communicator.size() - 1;
    gradients = new Frame[workers];
    sums = new float[workers][];
    ranks = new int[workers];
    for (int worker = 0; worker < workers; worker++) {
      gradients[worker] = new Frame();
      ranks[worker] = worker + 1;
    }
  }

  void run() {
    awaitWorkers();
    Progress progress = new Progress(master);
    do {
      step(progress);
    } while (!progress.over());
    progress.finish();
    communicator.broadcast(parameters.reset(Frame.Kind.STOP, progress.step()), Clock.NEVER);
  }

  private void awaitWorkers() {
    for (int worker = 0; worker < workers; worker++) {
      communicator.receive(Communicator.ANY, spare, Clock.NEVER);
      expect(spare, Frame.Kind.READY, 0, 0);
    }
  }

  private void step(Progress progress) {
    long step = progress.step() + 1;
    Clock clock = master.clock();
    long start = clock.now();
    broadcastParameters(step);
    long sent = clock.now();
    gather(step, sent, progress);
    long gathered = clock.now();
    long examples = examples();
    double learningRate = progress.update(sums, ranks, examples);
    Progress.Cost cost =
        new Progress.Cost(
            Clock.seconds(gathered, clock.now()),
            Clock.seconds(start, sent),
            communicator.bytesSent(),
            communicator.bytesReceived());
    progress.record(lossSum(), learningRate, examples, cost);
  }

  private void broadcastParameters(long step) {
    parameters.reset(Frame.Kind.PARAMETERS, step);
    parameters.exchange(master.parameters(), master.parameters().length);
    communicator.broadcast(parameters, Clock.NEVER);
  }

  private void gather(long step, long sent, Progress progress) {
    Clock clock = master.clock();
    long first = 0;
    for (int received = 0; received < workers; received++) {
      communicator.receive(Communicator.ANY, spare, Clock.NEVER);
      long now = clock.now();
      first = received == 0 ? now : first;
      expect(spare, Frame.Kind.GRADIENT, step, master.parameters().length);
      record(spare, progress.time(), Clock.seconds(sent, now));
      keepSpare();
    }
    master
        .log()
        .accept(
            new CollectRecord(
                progress.time(), step, workers, Clock.seconds(first, clock.now()), examples()));
  }

  private void keepSpare() {
    int worker = spare.source() - 1;
    Frame free = gradients[worker];
    gradients[worker] = spare;
    sums[worker] = spare.values();
    spare = free;
  }

  private void record(Frame gradient, double time, double waitTime) {
    master
        .log()
        .accept(
            new WorkerRecord(
                time,
                gradient.step(),
                gradient.source(),
                gradient.examples(),
                (int) gradient.stat(GradientStats.PARTITIONS),
                gradient.stat(GradientStats.EXHAUSTED) != 0,
                gradient.stat(GradientStats.LAST_SEND),
                gradient.stat(GradientStats.LAST_RECV),
                gradient.stat(GradientStats.LAST_EXIT),
                gradient.stat(GradientStats.SLEEP_TIME),
                gradient.stat(GradientStats.COMPUTE_TIME),
                waitTime));
  }

  private long examples() {
    long examples = 0;
    for (Frame gradient : gradients) {
      examples += gradient.examples();
    }
    return examples;
  }

  private double lossSum() {
    double sum = 0;
    for (Frame gradient : gradients) {
      sum += gradient.stat(GradientStats.LOSS_SUM);
    }
    return sum;
  }

  private static void expect(Frame frame, Frame.Kind kind, long step, int length) {
    if (frame.kind() != kind || frame.step() != step || frame.length() != length) {
      throw new EngineException(
          "rank %d: expected %s of step %d with %d values, found %s of step %d with %d"
              .formatted(
                  frame.source(), kind, step, length, frame.kind(), frame.step(), frame.length()));
    }
  }
}
