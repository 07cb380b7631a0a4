package io.github.amb.runtime.checkpoint;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is to become a checkpoint: copies, which training does not change any more. */
final class Snapshot {
  /** Name of the parameters in the master's state. */
  static final String PARAMETERS = "parameters/all";

  final Layout layout;

  /** The master's state, the parameters among it. */
  final StateMap master = new StateMap();

  /** The workers' states by rank; a worker may be missing. */
  final SortedMap<Integer, StateMap> workers = new TreeMap<>();

  long step;
  double seconds;

  /** Accuracy of the parameters, or null. */
  Double accuracy;

  Snapshot(Layout layout) {
    this.layout = layout;
  }

  float[] parameters() {
    return (float[]) master.get(PARAMETERS);
  }
}
