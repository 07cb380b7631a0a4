package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.Sgd;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;

/**
 * The master of nodes that agree among themselves. Its parameters are the mean of theirs, which is
 * what is tested and saved. It says when an epoch begins and sends what a new node begins with: the
 * mean, the parameters that training started from, and the mean of the dual vectors.
 */
public final class Observer implements Checkpointed {
  private static final float[] NOTHING = {};

  private final Master master;
  private final OuterUpdate mean;
  private final float[] center;
  private double rate = 1;
  private boolean announced;

  /**
   * An observer of nodes of a graph.
   *
   * @param graph of all nodes that the run began with
   * @throws TooFewWorkersException if those that are left are not connected
   */
  public Observer(Master master, Graph graph) {
    this(master);
    expectConnected(master.communicator(), graph);
  }

  /** An observer of nodes each of which can meet any other one. */
  public Observer(Master master) {
    this.master = master;
    mean = new OuterUpdate(master, new Sgd(), 1);
    center = master.context().parameters().clone();
    master.context().state().register("center", this);
    master.context().state().registerOfRounds("observer", this::visitRound);
  }

  private static void expectConnected(Communicator communicator, Graph graph) {
    int[] nodes = nodes(communicator);
    Graph left = graph.keeping(nodes);
    if (!left.isConnected()) {
      BitSet part = left.reached(0);
      throw new TooFewWorkersException(
          nodes.length,
          "--graph %s: expected %d connected nodes, found ranks %s without an edge to the others; resume with all nodes, or choose a graph with more edges"
              .formatted(
                  graph,
                  nodes.length,
                  part.stream()
                      .map(node -> nodes[node] + 1)
                      .mapToObj(String::valueOf)
                      .collect(Collectors.joining(", "))),
          null);
    }
  }

  /** The nodes of the graph of the whole run that are members, by rank − 1. */
  static int[] nodes(Communicator communicator) {
    int[] nodes = new int[communicator.size() - 1];
    Arrays.setAll(nodes, node -> communicator.number(node + 1) - 1);
    return nodes;
  }

  @Override
  public void visit(StateVisitor state) {
    rate = state.real("rate", rate);
    state.floats("parameters", center);
  }

  private void visitRound(StateVisitor state) {
    announced = state.integer("announced", announced ? 1 : 0) == 1;
  }

  /** Begins an epoch at every node. */
  public void begin() {
    master.sendInstead(announced ? NOTHING : beginning());
    master.broadcast();
  }

  private float[] beginning() {
    MasterContext context = master.context();
    Layout layout = context.update().layout();
    int size = layout.size();
    float[] all = Arrays.copyOf(context.parameters(), GraphNode.VECTORS * size);
    System.arraycopy(center, 0, all, size, size);
    for (Block block : layout.blocks()) {
      double step = GraphNode.step(block, rate);
      for (int i = block.offset(); i < block.end(); i++) {
        all[2 * size + i] = (float) ((center[i] - all[i]) / step);
      }
    }
    return all;
  }

  /** Waits for every node's change of parameters, and takes their mean. */
  public void update() {
    int workers = master.workers();
    announced = master.gather(workers).withExamples() == workers; // Else a change was left out.
    mean.update(workers);
    rate = master.learningRate();
  }
}
