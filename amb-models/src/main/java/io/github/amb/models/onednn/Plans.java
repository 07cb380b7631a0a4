package io.github.amb.models.onednn;

import io.github.amb.models.graph.NetworkGraph;
import java.util.LinkedHashMap;
import java.util.Map;

/** The most recently used plans of a network, one per number of examples. */
final class Plans implements AutoCloseable {
  /** Partitions of a batch have two sizes, and each may end in a shorter slice. */
  private static final int MAX = 6;

  private final NetworkGraph network;
  private final PlanBuilder.Memory memory;
  private final Map<Key, Plan> plans = new LinkedHashMap<>(16, 0.75f, true);
  private Key lastKey;
  private Plan lastPlan;

  private record Key(int examples, boolean training) {}

  Plans(NetworkGraph network, PlanBuilder.Memory memory) {
    this.network = network;
    this.memory = memory;
  }

  Plan training(int examples) {
    return plan(examples, true);
  }

  Plan inference(int examples) {
    return plan(examples, false);
  }

  private Plan plan(int examples, boolean training) {
    if (lastKey != null && lastKey.examples == examples && lastKey.training == training) {
      return lastPlan;
    }
    Key key = new Key(examples, training);
    lastKey = null; // The plan that is closed may be the last one used.
    Plan plan = plans.get(key);
    if (plan == null) {
      makeRoom();
      plan = new Plan(network, examples, training, memory);
      plans.put(key, plan);
    }
    plan.bind();
    lastKey = key;
    lastPlan = plan;
    return plan;
  }

  private void makeRoom() {
    if (plans.size() == MAX) {
      var oldest = plans.entrySet().iterator();
      oldest.next().getValue().close();
      oldest.remove();
    }
  }

  @Override
  public void close() {
    plans.values().forEach(Plan::close);
  }
}
