package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.WeightDecay;

/**
 * The master of workers that update locally: send the parameters, gather what every worker changed,
 * weight the changes, and take their mean as the gradient of an outer update. Running statistics
 * are averaged.
 */
final class LocalMaster {
  private final MasterContext master;
  private final Communicator communicator;
  private final WorkerLinks links;
  private final Gathering gathering;
  private final MasterUpdate outer;
  private final double outerLearningRate;
  private final Weighting weighting;
  private final StateServer server;
  private Frame result = new Frame();

  /**
   * @param rule the outer update rule
   * @param server answers workers' queries
   */
  LocalMaster(
      MasterContext master,
      Communicator communicator,
      UpdateRule rule,
      double outerLearningRate,
      Weighting weighting,
      StateServer server) {
    this.master = master;
    this.communicator = communicator;
    this.outerLearningRate = outerLearningRate;
    this.weighting = weighting;
    this.server = server;
    outer = new MasterUpdate(master.update().layout(), rule, WeightDecay.NONE);
    links = new WorkerLinks(master, communicator, Frame.Kind.DELTA);
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
    double learningRate = progress.learningRate();
    links.learningRate(learningRate);
    links.sendToIdle(progress.step() + 1);
    long sent = clock.now();
    server.begin(sent);
    gather(progress, sent);
    long gathered = clock.now();
    long examples = gathering.examples();
    update();
    progress.updated(examples);
    Progress.Cost cost =
        new Progress.Cost(
            Clock.seconds(gathered, clock.now()),
            Clock.seconds(start, sent),
            communicator.bytesSent(),
            communicator.bytesReceived());
    progress.record(gathering.lossSum(), learningRate, examples, cost);
  }

  private void gather(Progress progress, long sent) {
    Clock clock = master.clock();
    gathering.clear();
    long first = 0;
    while (gathering.results() < links.workers()) {
      communicator.receive(Communicator.ANY, result, Clock.NEVER);
      if (result.kind() == Frame.Kind.QUERY) {
        communicator.send(result.source(), server.answer(result, clock.now()), Clock.NEVER);
        continue;
      }
      links.accept(result);
      first = gathering.results() == 0 ? clock.now() : first;
      progress.used(result, Clock.seconds(sent, clock.now()));
      result = gathering.take(result);
    }
    gathering.close();
    progress.collected(
        gathering.results(), Clock.seconds(first, clock.now()), gathering.examples());
  }

  private void update() {
    long divisor = weighting.scale(gathering, outer.layout());
    outer.apply(
        master.parameters(),
        gathering.sums(),
        gathering.ranks(),
        gathering.contributors(),
        divisor,
        outerLearningRate);
  }
}
