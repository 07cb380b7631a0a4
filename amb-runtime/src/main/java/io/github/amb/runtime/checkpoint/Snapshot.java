package io.github.amb.runtime.checkpoint;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** The content of a checkpoint: copies that training does not change. */
final class Snapshot {
  /** Name of the parameters in the master's state. */
  static final String PARAMETERS = "parameters/all";

  final Layout layout;

  /** State of the master, including the parameters. */
  final StateMap master = new StateMap();

  /** States of the workers by rank; a worker may be missing. */
  final SortedMap<Integer, StateMap> workers = new TreeMap<>();

  long step;
  double seconds;

  /** Accuracy of the parameters on test examples, 0 to 1, or null. */
  Double accuracy;

  Snapshot(Layout layout) {
    this.layout = layout;
  }

  float[] parameters() {
    return (float[]) master.get(PARAMETERS);
  }
}
