package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.WeightDecay;
import java.nio.FloatBuffer;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * The verbs of a node that does local steps from parameters of its own, meets another node, and
 * then takes an outer step of its own.
 */
public final class PairNode implements Checkpointed {
  private final Worker worker;
  private final Communicator communicator;
  private final LocalModel local;
  private final MasterUpdate outer;
  private final double learningRate;
  private final int size;
  private final Message estimate = new Message();
  private final Message inbox = new Message();
  private final float[] parameters;
  private float[] mine = {};
  private float[] theirs = {};
  private float[] change = {};
  private boolean started;

  PairNode(Worker worker, Communicator communicator, UpdateRule rule, double learningRate) {
    this.worker = worker;
    this.communicator = communicator;
    this.learningRate = learningRate;
    local = worker.localModel();
    Layout layout = worker.context().source().layout();
    outer = new MasterUpdate(layout, rule, WeightDecay.NONE);
    size = layout.size();
    parameters = new float[size];
    worker.context().state().register("node", this);
    worker.context().state().register("outer-update", rule);
  }

  @Override
  public void visit(StateVisitor state) {
    started = state.integer("started", started ? 1 : 0) == 1;
    state.floats("parameters", parameters);
  }

  /** Takes local steps from this node's parameters; those of a new node are the observer's. */
  public void train(int steps) {
    if (!started) {
      started = true;
      System.arraycopy(worker.parameterValues(), 0, parameters, 0, size);
    }
    change = local.begin(parameters);
    for (int h = 0; h < steps; h++) {
      local.step();
    }
  }

  /** Exchanges what local steps have led to with the node that is drawn for this round. */
  public void meet() {
    mine = local.end();
    theirs = mine;
    int other = partner();
    if (other != communicator.rank()) {
      estimate.reset(Message.Kind.ESTIMATE, worker.step()).exchange(mine, size);
      communicator.send(other, estimate, Clock.NEVER);
      communicator.receive(Communicator.ANY, inbox, Clock.NEVER);
      expect(estimate.kind(), other, worker.step());
      theirs = inbox.values();
    }
  }

  private void expect(Message.Kind kind, int from, long step) {
    boolean due = inbox.kind() == kind && inbox.source() == from && inbox.step() == step;
    if (!due || inbox.length() != size) {
      throw new MalformedMessageException(
          inbox.source(),
          "expected %s of rank %d and step %d with %d values, found %s of step %d with %d"
              .formatted(kind, from, step, size, inbox.kind(), inbox.step(), inbox.length()));
    }
  }

  /** All nodes draw the same order, of which each two that follow each other are a pair. */
  private int partner() {
    int nodes = communicator.size() - 1;
    var random = worker.context().streams().stream("pairs", 0, worker.step());
    int[] order = new PermutationSampler(random, nodes, nodes).sample();
    int place = 0;
    while (order[place] != communicator.rank() - 1) {
      place++;
    }
    int next = place ^ 1;
    return order[next < nodes ? next : place] + 1;
  }

  /**
   * Updates the parameters with the outer rule, as if what they have more than the mean of what
   * local steps have led to at both nodes were a gradient. Running statistics become the mean.
   */
  public void update() {
    float[] shown = worker.hasParameters() ? worker.parameterValues() : parameters;
    System.arraycopy(shown, 0, change, 0, size);
    for (int i = 0; i < size; i++) {
      mine[i] = parameters[i] - (mine[i] + theirs[i]) / 2;
    }
    FloatBuffer[] gradient = {FloatBuffer.wrap(mine)};
    outer.apply(parameters, gradient, new int[] {communicator.rank()}, 1, 1, learningRate);
    worker.context().clock().charge(Work.UPDATE, size);
    for (int i = 0; i < size; i++) {
      change[i] -= parameters[i];
    }
  }

  /** Sends the change of the parameters since the observer has heard of them. */
  public void send() {
    worker.result().send();
  }
}
