package io.github.amb.models.graph;

import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;

/**
 * A network as functions of values. Value 0 is the input, and value i + 1 the result of vertex i.
 * The last value has the logits of a softmax, or the number that a regression predicts.
 *
 * @param input shape of one example
 * @param vertices each after those whose results it uses
 * @param layout of the parameter vector
 * @param separable whether an example's gradient is independent of the other examples
 */
public record NetworkGraph(Shape input, List<Vertex> vertices, Layout layout, boolean separable) {
  /**
   * A function in the graph.
   *
   * @param inputs indices of its argument values
   */
  public record Vertex(Node node, int[] inputs) {}

  /** The maximum number of positions of a value; 1 without sequences. */
  public int positions() {
    return vertices.stream().mapToInt(vertex -> vertex.node().shape().positions()).max().orElse(1);
  }

  /**
   * Floating-point operations of convolutions and dense layers for the gradient of one example: a
   * multiplication and an addition per weight in the forward pass, as many for the gradient by the
   * weights, and as many for that by the input unless no weights come before it.
   */
  public long operations() {
    boolean[] weighted = new boolean[vertices.size() + 1];
    long operations = 0;
    for (int i = 0; i < vertices.size(); i++) {
      long multiplications = vertices.get(i).node().multiplications();
      boolean before = Arrays.stream(vertices.get(i).inputs()).anyMatch(used -> weighted[used]);
      operations += 2 * multiplications * (before ? 3 : 2);
      weighted[i + 1] = before || multiplications > 0;
    }
    return operations;
  }
}
