package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Layout;
import java.util.List;

/**
 * A network as functions of values: value 0 is the input, value i + 1 the result of vertex i; the
 * last one holds the logits of a softmax, or the number that a regression predicts.
 *
 * @param input shape of one example
 * @param vertices each after those whose results it uses
 * @param layout of the parameter vector
 * @param separable whether an example's gradient depends on no other example
 */
record NetworkGraph(Shape input, List<Vertex> vertices, Layout layout, boolean separable) {
  /**
   * A function in the graph.
   *
   * @param inputs numbers of the values that it is applied to
   */
  record Vertex(Node node, int[] inputs) {}

  /** For each value the number of its uses, the network's result included. */
  int[] users() {
    int[] users = new int[vertices.size() + 1];
    for (Vertex vertex : vertices) {
      for (int used : vertex.inputs()) {
        users[used]++;
      }
    }
    users[vertices.size()]++;
    return users;
  }
}
