package io.github.amb.models.onednn.reference;

import io.github.amb.core.gradient.Layout;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.dl4j.Architecture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A network in double precision, with bounds on what an engine that computes in float may differ
 * by, from the number of operations and the unit of rounding; {@link Ball} and {@link Sums} say
 * how.
 */
public final class Reference {
  private final Architecture architecture;
  private final List<Vertex> vertices = new ArrayList<>();
  private final int parameters;
  private final double factorVariance;

  /** A layer, and the numbers of the values that it takes; value 0 is the network's input. */
  private record Vertex(Layer layer, List<Integer> inputs) {}

  /**
   * @param layout of the parameter vector
   */
  public Reference(Architecture architecture, Layout layout) {
    this(architecture, layout, 0);
  }

  /**
   * The same for an engine that, in training, rounds what products and convolutions multiply.
   *
   * @param layout of the parameter vector, whose weights are numbers that are not rounded
   * @param unit of that rounding
   */
  public Reference(Architecture architecture, Layout layout, double unit) {
    this.architecture = architecture;
    factorVariance = unit * unit;
    parameters = layout.size();
    var reader = new ReferenceLayers(architecture, layout);
    Map<String, Integer> numbers = new HashMap<>();
    for (Architecture.Stage stage : architecture.stages()) {
      List<Integer> inputs = stage.inputs().stream().map(numbers::get).toList();
      for (Layer layer : reader.read(stage)) {
        vertices.add(new Vertex(layer, inputs.isEmpty() ? List.of(0) : inputs));
        inputs = List.of(vertices.size());
      }
      numbers.put(stage.name(), vertices.size());
    }
  }

  /** What dropout multiplies by; asked for in the order of the layers. */
  public interface Masks {
    /**
     * The next mask.
     *
     * @param partition from 0 on
     */
    float[] draw(int partition, int length, double keep);
  }

  /**
   * What a batch gives.
   *
   * @param loss sum over the examples
   * @param lossError bound on what floats differ from it by
   * @param gradient of the loss sum; empty in a test
   * @param gradientError bounds on what floats differ from it by
   * @param correct predictions whose largest logit is that of their label
   * @param clear whether floats are on the same side of each kink and choose the same maxima
   * @param pattern of sides and choices
   */
  public record Outcome(
      double loss,
      double lossError,
      double[] gradient,
      double[] gradientError,
      int correct,
      boolean clear,
      int pattern) {}

  /**
   * The gradient sum over partitions.
   *
   * @param ends where a partition of the examples from {@code from} on ends
   * @param masks of dropout
   */
  public Outcome train(double[] point, DataSet data, int from, int[] ends, Masks masks) {
    Pass pass = new Pass(exact(point), new Sums(parameters), true, factorVariance, masks);
    var loss = new SoftmaxCrossEntropy(pass, data.train().positions());
    int start = from;
    for (int end : ends) {
      pass.beginPartition();
      List<Values> values = forward(pass, data.train(), start, end);
      backward(pass, values, loss.add(values.get(vertices.size()), labels(data, start, end)));
      start = end;
    }
    double[] errors = new double[parameters];
    for (int i = 0; i < parameters; i++) {
      errors[i] = pass.gradient.get(i).error();
    }
    return outcome(pass, loss, pass.gradient.value, errors);
  }

  /** The loss sum alone, of one partition, without dropout. */
  Outcome loss(double[] point, DataSet data, int from, int to) {
    return forward(
        new Pass(exact(point), new Sums(parameters), true, factorVariance, null), data, from, to);
  }

  /** Loss and correct answers in a test of the examples. */
  public Outcome test(double[] point, DataSet data, int from, int to) {
    return forward(new Pass(exact(point), new Sums(0), false, 0, null), data, from, to);
  }

  private Outcome forward(Pass pass, DataSet data, int from, int to) {
    var loss = new SoftmaxCrossEntropy(pass, data.train().positions());
    List<Values> values = forward(pass, data.train(), from, to);
    loss.add(values.get(vertices.size()), labels(data, from, to));
    return outcome(pass, loss, new double[0], new double[0]);
  }

  private static Outcome outcome(
      Pass pass, SoftmaxCrossEntropy loss, double[] gradient, double[] errors) {
    return new Outcome(
        loss.loss(),
        loss.error(),
        gradient,
        errors,
        loss.correct(),
        pass.isClear(),
        pass.pattern());
  }

  private static Values exact(double[] values) {
    Values result = new Values(1, values.length, 1, 1);
    System.arraycopy(values, 0, result.value, 0, values.length);
    return result;
  }

  private static int[] labels(DataSet data, int from, int to) {
    int positions = data.train().positions();
    int[] labels = new int[(to - from) * positions];
    int[] one = new int[positions];
    for (int i = from; i < to; i++) {
      data.train().copyLabels(i, one);
      System.arraycopy(one, 0, labels, (i - from) * positions, positions);
    }
    return labels;
  }

  private Values input(Examples examples, int from, int to) {
    var shape = architecture.input();
    Values input = new Values(to - from, shape.channels(), shape.height(), shape.width());
    float[] one = new float[shape.size()];
    for (int i = from; i < to; i++) {
      examples.copyFeatures(i, one);
      for (int j = 0; j < one.length; j++) {
        input.value[(i - from) * one.length + j] = one[j];
      }
    }
    return input;
  }

  private List<Values> forward(Pass pass, Examples examples, int from, int to) {
    List<Values> values = new ArrayList<>();
    values.add(input(examples, from, to));
    for (Vertex vertex : vertices) {
      values.add(vertex.layer().forward(pass, vertex.inputs().stream().map(values::get).toList()));
    }
    return values;
  }

  private void backward(Pass pass, List<Values> values, Values delta) {
    List<Sums> gradients = new ArrayList<>();
    values.forEach(value -> gradients.add(new Sums(value.size())));
    add(gradients.get(vertices.size()), delta);
    for (int i = vertices.size(); i > 0; i--) {
      Vertex vertex = vertices.get(i - 1);
      List<Values> by = vertex.layer().backward(pass, values.get(i).with(gradients.get(i)));
      for (int input = 0; input < by.size(); input++) {
        add(gradients.get(vertex.inputs().get(input)), by.get(input));
      }
    }
  }

  private static void add(Sums sums, Values values) {
    for (int i = 0; i < values.size(); i++) {
      sums.add(i, values.get(i));
    }
  }
}
