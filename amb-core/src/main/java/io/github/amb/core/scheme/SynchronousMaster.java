package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;

/**
 * The master of every scheme in which one update takes results at the newest parameters from every
 * worker or from enough of them: send the parameters, gather results, update. Results at older
 * parameters are dropped.
 */
final class SynchronousMaster {
  private final MasterContext master;
  private final Communicator communicator;
  private final Round round;
  private final WorkerLinks links;
  private final Gathering gathering;
  private Frame result = new Frame();

  /** A master that takes one gradient from every worker. */
  SynchronousMaster(MasterContext master, Communicator communicator) {
    this(master, communicator, Round.ofGradients(Aggregation.first(communicator.size() - 1)));
  }

  SynchronousMaster(MasterContext master, Communicator communicator, Round round) {
    this.master = master;
    this.communicator = communicator;
    this.round = round;
    links = new WorkerLinks(master, communicator, round.answer());
    gathering = new Gathering(links.workers());
  }

  void run() {
    links.awaitReady();
    Progress progress = new Progress(master);
    while (!progress.over()) {
      step(progress);
    }
    progress.finish();
    links.stop(progress);
  }

  private void step(Progress progress) {
    Clock clock = master.clock();
    long start = clock.now();
    double learningRate = progress.learningRate();
    send(progress.step() + 1, learningRate);
    long sent = clock.now();
    gather(progress, sent);
    long gathered = clock.now();
    gathering.copyTo(links.prepare(progress.step() + 2));
    long examples = round.aggregation().update(gathering, master, learningRate);
    links.prepared(gathering.copied());
    progress.updated(examples);
    Progress.Cost cost =
        new Progress.Cost(
            Clock.seconds(gathered, clock.now()),
            Clock.seconds(start, sent),
            communicator.bytesSent(),
            communicator.bytesReceived());
    // Before the step is recorded: a checkpoint of the step has what was learnt in it.
    round.timeLimit().observe(gathering, Clock.seconds(start, clock.now()));
    progress.record(gathering.lossSum(), learningRate, examples, cost);
  }

  private void send(long step, double learningRate) {
    links.timeLimit(round.timeLimit().next());
    links.learningRate(learningRate);
    round.advisor().begin(step);
    links.sendToIdle(step);
  }

  private void gather(Progress progress, long sent) {
    Clock clock = master.clock();
    gathering.clear();
    long first = 0;
    while (!round.aggregation().isEnough(gathering)) {
      communicator.receive(Communicator.ANY, result, Clock.NEVER);
      if (round.advisor().takes(result)) {
        continue;
      }
      links.accept(result);
      if (progress.isStale(result)) {
        progress.dropped(result);
        links.send(result.source(), progress.step() + 1);
      } else {
        first = gathering.results() == 0 ? clock.now() : first;
        progress.used(result, Clock.seconds(sent, clock.now()));
        round.advisor().accepted(result);
        result = gathering.take(result);
      }
    }
    gathering.close();
    progress.collected(
        gathering.results(), Clock.seconds(first, clock.now()), gathering.examples());
  }
}
