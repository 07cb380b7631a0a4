package io.github.amb.models.onednn;

import io.github.amb.models.graph.GraphSource;
import io.github.amb.models.graph.NetworkGraph;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Step;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A network for a fixed number of examples at a time: all its operations in order, bound to memory.
 */
final class Plan implements GraphSource.Pass {
  private final Tensor input;
  private final Tensor output;
  private final Tensor outputGradient;

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
    List<Value<Tensor>> values = addForward(network);
    Value<Tensor> last = values.get(values.size() - 1);
    output = builder.as(last.tensor(), Formats.rowMajor(last.shape().dimensions(examples)));
    builder.keep(output);
    builder.endForward();
    outputGradient = training ? addBackward(values, last) : null;
    builder.finish();
    forward = builder.forward();
    backward = builder.backward();
  }

  private List<Value<Tensor>> addForward(NetworkGraph network) {
    List<Value<Tensor>> values = new ArrayList<>();
    values.add(new Value<>(input, network.input(), null));
    for (NetworkGraph.Vertex vertex : network.vertices()) {
      List<Value<Tensor>> inputs = Arrays.stream(vertex.inputs()).mapToObj(values::get).toList();
      values.add(PlanNode.of(vertex.node()).addTo(builder, inputs));
    }
    return values;
  }

  private Tensor addBackward(List<Value<Tensor>> values, Value<Tensor> last) {
    Tensor gradient = builder.tensor(output.format());
    builder.keep(gradient);
    last.addGradient(gradient);
    for (int i = values.size() - 1; i >= 0; i--) {
      values.get(i).backward(builder::sum);
    }
    return gradient;
  }

  @Override
  public void bind() {
    builder.bind();
  }

  @Override
  public void put(int row, float[] example) {
    input.data().position((long) row * example.length).put(example).position(0);
  }

  @Override
  public void forward() {
    run(forward);
  }

  @Override
  public void read(float[] target, int from, int length) {
    output.data().get(target, from, length);
  }

  @Override
  public void backward(float[] gradient, int length) {
    outputGradient.data().put(gradient, 0, length);
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
