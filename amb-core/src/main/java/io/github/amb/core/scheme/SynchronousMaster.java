package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;

/**
 * The master of every scheme in which one update takes gradients at the newest parameters from
 * every worker or from enough of them: send the parameters, gather gradient sums, divide once by
 * the number of all their examples, update. Gradients at older parameters are dropped.
 */
final class SynchronousMaster {
  private final MasterContext master;
  private final Communicator communicator;
  private final WorkerLinks links;
  private final Gathering gathering;
  private final Aggregation aggregation;
  private final TimeLimit timeLimit;
  private Frame result = new Frame();

  /** A master that takes one gradient from every worker. */
  SynchronousMaster(MasterContext master, Communicator communicator) {
    this(master, communicator, TimeLimit.NONE);
  }

  /** The same, and it sets the workers' time limit. */
  SynchronousMaster(MasterContext master, Communicator communicator, TimeLimit timeLimit) {
    this(master, communicator, Aggregation.first(communicator.size() - 1), timeLimit);
  }

  /**
   * @param aggregation which gradients are enough for an update
   */
  SynchronousMaster(MasterContext master, Communicator communicator, Aggregation aggregation) {
    this(master, communicator, aggregation, TimeLimit.NONE);
  }

  private SynchronousMaster(
      MasterContext master,
      Communicator communicator,
      Aggregation aggregation,
      TimeLimit timeLimit) {
    this.master = master;
    this.communicator = communicator;
    this.aggregation = aggregation;
    this.timeLimit = timeLimit;
    links = new WorkerLinks(master, communicator, Frame.Kind.GRADIENT);
    gathering = new Gathering(links.workers());
  }

  void run() {
    links.awaitReady();
    Progress progress = new Progress(master);
    do {
      step(progress);
    } while (!progress.over());
    progress.finish();
    links.stop(progress);
  }

  private void step(Progress progress) {
    Clock clock = master.clock();
    long start = clock.now();
    links.timeLimit(timeLimit.next());
    links.sendToIdle(progress.step() + 1);
    long sent = clock.now();
    gather(progress, sent);
    long gathered = clock.now();
    long examples = aggregation.combine(gathering);
    double learningRate =
        progress.update(gathering.sums(), gathering.ranks(), gathering.contributors(), examples);
    Progress.Cost cost =
        new Progress.Cost(
            Clock.seconds(gathered, clock.now()),
            Clock.seconds(start, sent),
            communicator.bytesSent(),
            communicator.bytesReceived());
    progress.record(gathering.lossSum(), learningRate, examples, cost);
    timeLimit.observe(gathering, Clock.seconds(start, clock.now()));
  }

  private void gather(Progress progress, long sent) {
    Clock clock = master.clock();
    gathering.clear();
    long first = 0;
    while (!aggregation.isEnough(gathering)) {
      links.receive(result);
      if (progress.isStale(result)) {
        progress.dropped(result);
        links.send(result.source(), progress.step() + 1);
      } else {
        first = gathering.results() == 0 ? clock.now() : first;
        progress.used(result, Clock.seconds(sent, clock.now()));
        result = gathering.take(result);
      }
    }
    gathering.close();
    progress.collected(
        gathering.results(), Clock.seconds(first, clock.now()), gathering.examples());
  }
}
