package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.MalformedFrameException;
import io.github.amb.core.random.Streams;

/**
 * The master of workers that never wait: gathers whatever gradients come until there are enough of
 * them or time is up, updates, and offers the newest parameters. At most one set of parameters is
 * under way to a worker that has not taken it yet, so that the master never waits for a worker; by
 * the time it is taken, only the newest is sent.
 */
final class DelayedMaster {
  private final MasterContext master;
  private final Communicator communicator;
  private final CollectRule rule;
  private final HoldingInbox inbox;
  private final Gathering gathering;
  private final int workers;
  private final boolean[] underWay;
  private final long[] sentStep;
  private final long[] sentTime;
  private final Frame parameters = new Frame();
  private Frame spare = new Frame();
  private long first;
  private double sendTime;

  /**
   * When gathering ends: with {@code results} gradients, or, if there is one, {@code time} after
   * the last update.
   *
   * @param results number of gradients; {@link Integer#MAX_VALUE} for no such end
   * @param time nanoseconds; {@link Clock#NEVER} for no such end
   */
  record CollectRule(int results, long time) {
    private long deadline(long start) {
      return time == Clock.NEVER ? Clock.NEVER : start + time;
    }
  }

  DelayedMaster(
      MasterContext master, Communicator communicator, CollectRule rule, double delayStd) {
    this.master = master;
    this.communicator = communicator;
    this.rule = rule;
    Streams streams = master.streams();
    inbox = new HoldingInbox(communicator, master.clock(), streams, delayStd);
    workers = communicator.size() - 1;
    gathering = new Gathering(workers);
    underWay = new boolean[workers + 1];
    sentStep = new long[workers + 1];
    sentTime = new long[workers + 1];
  }

  void run() {
    awaitReady();
    Progress progress = new Progress(master);
    while (!progress.over()) {
      offer(progress);
      step(progress);
    }
    progress.finish();
    stop(progress);
  }

  private void awaitReady() {
    for (int ready = 0; ready < workers; ready++) {
      spare = inbox.receive(spare, Clock.NEVER);
      if (spare.kind() != Frame.Kind.READY) {
        throw unexpected(spare);
      }
    }
  }

  /** Sends the newest parameters to every worker that has taken the last ones. */
  private void offer(Progress progress) {
    long start = master.clock().now();
    for (int rank = 1; rank <= workers; rank++) {
      offer(rank, progress);
    }
    sendTime = Clock.seconds(start, master.clock().now());
  }

  private void offer(int rank, Progress progress) {
    long step = progress.step() + 1;
    if (underWay[rank] || sentStep[rank] == step) {
      return;
    }
    parameters.reset(Frame.Kind.PARAMETERS, step);
    parameters.exchange(master.parameters(), master.parameters().length);
    communicator.send(rank, parameters, Clock.NEVER);
    underWay[rank] = true;
    sentStep[rank] = step;
    sentTime[rank] = master.clock().now();
  }

  private void step(Progress progress) {
    Clock clock = master.clock();
    gather(progress);
    long gathered = clock.now();
    long examples = gathering.examples();
    progress.collected(gathering.results(), Clock.seconds(first, gathered), examples);
    double learningRate = progress.learningRate();
    gathering.apply(master.update(), master.parameters(), examples, learningRate);
    progress.updated(examples);
    progress.record(
        gathering.lossSum(),
        learningRate,
        examples,
        new Progress.Cost(
            Clock.seconds(gathered, clock.now()),
            sendTime,
            communicator.bytesSent(),
            communicator.bytesReceived()));
  }

  private void gather(Progress progress) {
    Clock clock = master.clock();
    long deadline = rule.deadline(clock.now());
    gathering.clear();
    while (gathering.results() < rule.results()
        && (gathering.results() == 0 || clock.now() < deadline)) {
      Frame frame = inbox.receive(spare, gathering.results() == 0 ? Clock.NEVER : deadline);
      if (frame != null) {
        spare = take(frame, progress);
      }
    }
    gathering.close();
  }

  /** Takes a frame in, and returns one in its place. */
  private Frame take(Frame frame, Progress progress) {
    int rank = frame.source();
    if (frame.kind() == Frame.Kind.TAKEN) {
      underWay[rank] = false;
      offer(rank, progress);
      return frame;
    }
    if (frame.kind() != Frame.Kind.GRADIENT || frame.length() != master.parameters().length) {
      throw unexpected(frame);
    }
    long now = master.clock().now();
    first = gathering.results() == 0 ? now : first;
    progress.used(frame, Clock.seconds(sentTime[rank], now));
    return gathering.take(frame);
  }

  private void stop(Progress progress) {
    communicator.broadcast(new Frame().reset(Frame.Kind.STOP, progress.step()), Clock.NEVER);
    int stopped = 0;
    while (stopped < workers || !inbox.isEmpty()) {
      spare = inbox.receive(spare, Clock.NEVER);
      if (spare.kind() == Frame.Kind.STOP) {
        stopped++;
      } else if (spare.kind() == Frame.Kind.GRADIENT) {
        progress.dropped(spare);
      }
    }
  }

  private MalformedFrameException unexpected(Frame found) {
    return new MalformedFrameException(
        found.source(),
        "expected a gradient with %d values, found %s of step %d with %d"
            .formatted(master.parameters().length, found.kind(), found.step(), found.length()));
  }
}
