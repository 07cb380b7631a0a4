package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Work;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.NonFiniteGradientException;
import io.github.amb.core.update.NonFiniteParametersException;
import java.nio.FloatBuffer;

/**
 * A worker that updates its own copy of the parameters: receive, iterate locally, send what the
 * iterations changed, {@code Δ = w_received − w_local}, an outer gradient.
 */
final class LocalWorker implements Checkpointed {
  private final WorkerContext worker;
  private final Communicator communicator;
  private final LocalIterations iterations;
  private final BatchComputation computation;
  private final ResultSender result;
  private final Frame parameters = new Frame();
  private final float[] local;
  private final FloatBuffer localView;
  private final FloatBuffer[] gradients;
  private final int[] ranks;
  private long batches;

  LocalWorker(
      WorkerContext worker,
      Communicator communicator,
      BatchPolicy policy,
      LocalIterations iterations) {
    this.worker = worker;
    this.communicator = communicator;
    this.iterations = iterations;
    computation = new BatchComputation(worker, policy, iterations.refresh());
    result = new ResultSender(worker, communicator);
    local = new float[worker.source().layout().size()];
    localView = FloatBuffer.wrap(local);
    gradients = new FloatBuffer[] {FloatBuffer.allocate(local.length)};
    ranks = new int[] {worker.rank()};
    worker.state().register("local", this);
    worker.state().register("local-update", worker.update().rule());
  }

  @Override
  public void visit(StateVisitor state) {
    batches = state.integer("batches", batches);
  }

  void run() {
    result.ready();
    while (receiveParameters()) {
      float[] delta = result.begin(Frame.Kind.DELTA, parameters.step(), local.length);
      iterate();
      float[] received = parameters.values();
      for (int i = 0; i < local.length; i++) {
        delta[i] = received[i] - local[i];
      }
      result.send();
    }
  }

  private boolean receiveParameters() {
    communicator.receive(Communicator.MASTER, parameters, Clock.NEVER);
    while (parameters.kind() != Frame.Kind.PARAMETERS && parameters.kind() != Frame.Kind.STOP) {
      iterations.advised(parameters);
      communicator.receive(Communicator.MASTER, parameters, Clock.NEVER);
    }
    result.received();
    return parameters.kind() == Frame.Kind.PARAMETERS;
  }

  private void iterate() {
    System.arraycopy(parameters.values(), 0, local, 0, local.length);
    double learningRate = parameters.stat(WorkerLinks.LEARNING_RATE);
    long start = worker.clock().now();
    int done = 0;
    iterations.begin(parameters.step());
    do {
      computation.run(localView, ++batches, gradients[0], iterations.delayed(done));
      if (computation.givenUp()) {
        break;
      }
      if (update(learningRate)) {
        worker.clock().charge(Work.UPDATE, local.length);
        result.add(computation);
      }
      done++;
    } while (iterations.goOn(done));
    result.localSteps(done, Clock.seconds(start, worker.clock().now()));
  }

  /** Returns false if the gradient is left out, and the parameters are as they were. */
  private boolean update(double learningRate) {
    int examples = computation.examples();
    try {
      worker.update().apply(local, gradients, ranks, 1, examples, learningRate);
      return true;
    } catch (NonFiniteGradientException e) {
      if (!computation.leftOut(parameters.step(), e.found())) {
        throw e.of(computation.firstExample(), examples).at(worker.rank(), parameters.step());
      }
      return false;
    } catch (NonFiniteParametersException e) {
      throw e.at(worker.rank(), parameters.step());
    }
  }
}
