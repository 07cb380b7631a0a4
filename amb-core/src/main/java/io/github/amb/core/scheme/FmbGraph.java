package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Estimate;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Graph;
import io.github.amb.core.scheme.context.GraphNode;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Observer;
import io.github.amb.core.scheme.context.Worker;
import java.util.List;

/**
 * Fixed Mini-Batch without a master: every node of a graph computes its whole batch, then neighbors
 * agree on the mean of all. The choice where nodes are equally fast, and no link can carry the
 * messages of all.
 *
 * <p>Epoch t at node i: {@code uᵢ ← zᵢ(t) + gᵢ / bᵢ}, r times {@code uᵢ ← Σⱼ Wᵢⱼ sⱼ uⱼ / Σⱼ Wᵢⱼ
 * sⱼ}, {@code sᵢ ← Σⱼ Wᵢⱼ sⱼ}, which begins with bᵢ; then {@code zᵢ(t+1) ← uᵢ, wᵢ(t+1) ← w₀ − η
 * zᵢ(t+1)}. With equal bᵢ all weights are equal.
 *
 * <p>Rank 0 observes: it begins epochs, and tests and saves the mean of the wᵢ. If a node dies, the
 * others continue without its edges, as long as they are connected. Its gradient of the epoch is
 * lost, and its part of the sum is kept by those that it has agreed with.
 *
 * <p>Ferdinand, Al-Lawati, Draper, Nokleby: "Anytime Minibatch: Exploiting Stragglers in Online
 * Distributed Optimization", ICLR 2019.
 */
class FmbGraph extends BatchScheme {
  static final Setting<String> GRAPH =
      Setting.text("graph", "ring").in(Graph.NAMES).help("which nodes exchange messages");
  static final Setting<Integer> ROUNDS =
      Setting.integer("consensus-rounds", 5, 1, Estimate.MAX_ROUNDS)
          .help("rounds of messages between neighbors per epoch, r");

  private final Graph graph;
  private final int rounds;

  FmbGraph(SchemeOptions options) {
    this(options, BatchPolicy.fixed(options.batchSize()));
  }

  FmbGraph(SchemeOptions options, BatchPolicy policy) {
    super(policy, Uplink.CONSENSUS);
    graph = Graph.of(options.get(GRAPH), options.workers());
    rounds = options.get(ROUNDS);
  }

  static List<String> problems(SchemeOptions options) {
    try {
      Graph graph = Graph.of(options.get(GRAPH), options.workers());
      return graph.isConnected()
          ? List.of()
          : List.of(
              "--graph %s: expected a connected graph, found a part of %d of %d nodes without an edge to the others; add edges, or use another seed"
                  .formatted(graph, graph.part(), graph.nodes()));
    } catch (UsageException e) {
      return e.getMessage().lines().toList();
    }
  }

  @Override
  public final void master(Master master) {
    Observer observer = new Observer(master, graph);
    while (master.nextStep()) {
      observer.begin(); // epoch t at all nodes
      observer.update(); // w ← 1/n Σ wᵢ(t+1), which no node sees
      master.record();
    }
  }

  @Override
  public final void worker(Worker worker) {
    GraphNode node = worker.node(graph);
    while (node.receive()) { // epoch t begins
      node.compute(batchPolicy().timeLimit()); // gᵢ, bᵢ at wᵢ(t)
      node.agree(rounds, consensusTime(), perExample()); // zᵢ(t+1)
      node.update(); // wᵢ(t+1) ← w₀ − η zᵢ(t+1)
      node.send(); // wᵢ(t+1) − wᵢ(t), for the observer
    }
  }

  /** Limit of the time for all rounds of an epoch, in nanoseconds. */
  long consensusTime() {
    return Clock.NEVER;
  }

  /** Whether a node's gradient counts per example, or as that of any other node. */
  boolean perExample() {
    return true;
  }

  /** While a node waits for one neighbor, messages of others come. */
  @Override
  public final boolean hearsWhileComputing() {
    return true;
  }
}
