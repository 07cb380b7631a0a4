package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Step;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A network for a fixed number of examples at a time: all its operations in order, bound to memory.
 */
final class Plan implements AutoCloseable {
  /** The examples' values, row-major; fill it before {@link #forward}. */
  final Tensor input;

  /** The results, row-major; valid after {@link #forward}. */
  final Tensor output;

  /** Gradient of the loss with respect to {@link #output}; fill it before {@link #backward}. */
  final Tensor outputGradient;

  private final PlanBuilder builder;
  private final List<Step> forward;
  private final List<Step> backward;

  /**
   * @param examples number of examples that pass at a time
   * @param training whether there is a backward pass
   */
  Plan(NetworkGraph network, int examples, boolean training, PlanBuilder.Memory memory) {
    builder = new PlanBuilder(examples, training, memory);
    input = builder.tensor(Formats.rowMajor(network.input().dimensions(examples)));
    builder.keep(input);
    List<Value> values = addForward(network);
    Value last = values.get(values.size() - 1);
    output = builder.as(last.tensor(), Formats.rowMajor(last.shape().dimensions(examples)));
    builder.keep(output);
    builder.endForward();
    outputGradient = training ? addBackward(values, last) : null;
    builder.finish();
    forward = builder.forward();
    backward = builder.backward();
  }

  private List<Value> addForward(NetworkGraph network) {
    List<Value> values = new ArrayList<>();
    values.add(new Value(input, network.input(), null));
    for (NetworkGraph.Vertex vertex : network.vertices()) {
      List<Value> inputs = Arrays.stream(vertex.inputs()).mapToObj(values::get).toList();
      values.add(vertex.node().addTo(builder, inputs));
    }
    return values;
  }

  private Tensor addBackward(List<Value> values, Value last) {
    Tensor gradient = builder.tensor(output.format());
    builder.keep(gradient);
    last.addGradient(gradient);
    for (int i = values.size() - 1; i >= 0; i--) {
      values.get(i).backward(builder);
    }
    return gradient;
  }

  /** Prepares to run, after another plan of the network may have. */
  void bind() {
    builder.bind();
  }

  void forward() {
    run(forward);
  }

  void backward() {
    run(backward);
  }

  /** Names of the implementations of its convolutions, forward and backward. */
  List<String> convolutions() {
    return builder.convolutions();
  }

  private static void run(List<Step> steps) {
    for (int i = 0; i < steps.size(); i++) {
      steps.get(i).run();
    }
  }

  @Override
  public void close() {
    builder.close();
  }
}
