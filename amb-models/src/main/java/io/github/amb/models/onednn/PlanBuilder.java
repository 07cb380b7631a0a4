package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_add;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_mul;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_forward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_dst_md;

import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.DropoutRandom;
import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Primitives;
import io.github.amb.models.onednn.primitive.Scratchpad;
import io.github.amb.models.onednn.primitive.Step;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Builds a {@link Plan}. Layers add operations in the order of execution: first the forward pass,
 * then the backward pass.
 */
final class PlanBuilder {
  final int examples;
  final boolean training;

  /** Of factors of products and convolutions. */
  final Precision precision;

  final Memory memory;
  private final PlanArrays arrays;
  private final Arena constantMemory = new Arena();
  private final List<Tensor> constants = new ArrayList<>();
  private final Primitives primitives;
  private final Map<Tensor, Supplier<Operation>> repetitions = new HashMap<>();
  private List<Step> steps = new ArrayList<>();
  private int forwardSteps;

  /**
   * Memory and random draws that the plans of one network share.
   *
   * @param arrays results of one plan at a time
   * @param scratchpad working memory of one operation at a time
   * @param random source of the layers' random draws
   */
  record Memory(
      Parameters parameters,
      GradientVector gradient,
      PlanMemory arrays,
      Scratchpad scratchpad,
      DropoutRandom random) {}

  /**
   * @param examples number of examples that pass at a time
   * @param training whether there is a backward pass; without one, everything is in fp32
   */
  PlanBuilder(int examples, boolean training, Memory memory) {
    this.examples = examples;
    this.training = training;
    precision = training ? memory.gradient().precision : Precision.FP32;
    this.memory = memory;
    arrays = new PlanArrays(memory.arrays());
    primitives = new Primitives(memory.scratchpad());
  }

  /** oneDNN's constant for the kind of forward pass. */
  int propagation() {
    return training ? dnnl_forward_training : dnnl_forward_inference;
  }

  /** Adds an operation that {@link #prepare} made. */
  void add(Operation operation) {
    steps.add(operation);
  }

  /**
   * Adds a step.
   *
   * @param arrays all arrays that it reads or writes
   */
  void add(Runnable step, Tensor... arrays) {
    steps.add(new OwnStep(step, List.of(arrays)));
  }

  private record OwnStep(Runnable action, List<Tensor> arrays) implements Step {
    @Override
    public void run() {
      action.run();
    }
  }

  /** Adds an operation, whose arguments the caller binds. */
  Operation operation(String what, Primitives.Description call) {
    Operation operation = prepare(what, call);
    steps.add(operation);
    return operation;
  }

  /** Creates an operation without adding it. */
  Operation prepare(String what, Primitives.Description call) {
    return prepare(what, Activation.IDENTITY, call);
  }

  /** Creates an operation that an activation follows, without adding it. */
  Operation prepare(String what, Activation after, Primitives.Description call) {
    return primitives.operation(what, after, call);
  }

  /** A new array. It keeps its entries from the first step that uses it to the last. */
  Tensor tensor(dnnl_memory_desc format) {
    return arrays.array(format);
  }

  /** A view of the same memory in another format. */
  Tensor view(Tensor tensor, dnnl_memory_desc format) {
    return view(tensor, format, 0);
  }

  /**
   * A view of a part of the same memory.
   *
   * @param offset bytes before its first entry
   */
  Tensor view(Tensor tensor, dnnl_memory_desc format, long offset) {
    return arrays.view(tensor, format, offset);
  }

  /** Keeps the entries of an array between the steps before and those to come. */
  void keep(Tensor tensor) {
    arrays.use(tensor, steps.size());
  }

  /** Lets a step's result take the place of its operand, if no later step uses the operand. */
  void mayOverwrite(Tensor operand, Tensor result) {
    arrays.mayOverwrite(operand, result);
  }

  /**
   * Lets a result of the forward pass be lost and computed once more, if the backward pass needs
   * it.
   *
   * @param repetition makes an operation that computes the same bits, from arrays that the backward
   *     pass needs at a later step
   */
  void mayRepeat(Tensor result, Supplier<Operation> repetition) {
    repetitions.put(result, repetition);
  }

  /** A constant vector with equal entries; it is not released. */
  Tensor constant(int length, float value) {
    float[] values = new float[length];
    Arrays.fill(values, value);
    return constant(values, length);
  }

  /** A constant row-major array; it is not released. */
  Tensor constant(float[] values, long... dimensions) {
    dnnl_memory_desc format = Formats.rowMajor(dimensions);
    Tensor constant = new Tensor(format, constantMemory.allocate(Tensor.bytes(format)));
    constants.add(constant);
    constant.data().put(values, 0, values.length);
    return constant;
  }

  /** Copies an array to another, or to a part of it, of the same dimensions. */
  void copy(Tensor from, Tensor to) {
    steps.add(primitives.reorder(from, to));
  }

  /** Concatenates arrays along their second dimension. */
  Tensor concatenation(List<Tensor> parts) {
    Operation operation = primitives.concatenation(parts);
    Tensor result = tensor(operation.format(dnnl_query_dst_md));
    steps.add(operation.with(DNNL_ARG_DST, result));
    return result;
  }

  /** The array in another format: itself or a copy. */
  Tensor as(Tensor tensor, dnnl_memory_desc format) {
    if (Formats.equal(tensor.format(), format)) {
      return tensor;
    }
    Tensor copy = tensor(format);
    steps.add(primitives.reorder(tensor, copy));
    return copy;
  }

  /** The sum of two arrays in the first one's format. */
  Tensor sum(Tensor a, Tensor b) {
    return sum(a, b, Activation.IDENTITY);
  }

  /** The same, followed by an activation. */
  Tensor sum(Tensor a, Tensor b, Activation after) {
    Tensor same = as(b, a.format());
    Tensor sum = tensor(a.format());
    steps.add(primitives.binary(dnnl_binary_add, a, same, sum, after));
    mayOverwrite(a, sum);
    return sum;
  }

  /** The product of two arrays of one format, entry by entry. */
  Tensor product(Tensor a, Tensor b) {
    Tensor product = tensor(a.format());
    steps.add(primitives.binary(dnnl_binary_mul, a, b, product, Activation.IDENTITY));
    return product;
  }

  /**
   * A function of each entry, without adding it.
   *
   * @param propagation oneDNN's constant for the kind of pass
   * @param alpha first parameter of the function
   * @param beta second parameter
   */
  Operation elementwise(
      int propagation, int function, dnnl_memory_desc format, float alpha, float beta) {
    return prepare(
        "an activation",
        (description, attributes) ->
            dnnl_eltwise_forward_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                propagation,
                function,
                format,
                format,
                alpha,
                beta,
                attributes));
  }

  /**
   * Multiplies matrices, {@code result = factor a b + summand}; the first two of four dimensions
   * count the matrices.
   *
   * @param summand with 1 for dimensions along which it is the same; null for none
   */
  void product(Tensor a, Tensor b, Tensor result, float factor, Tensor summand) {
    // oneDNN 3.13 adds a summand of one matrix to some of several wrongly, with AMX.
    boolean apart = summand != null && precision != Precision.FP32;
    steps.add(primitives.product(a, b, result, factor, apart ? null : summand));
    if (apart) {
      steps.add(primitives.binary(dnnl_binary_add, result, summand, result, Activation.IDENTITY));
    }
  }

  /** A part of the parameter vector, copied if it is needed in another format. */
  Tensor parameter(int offset, dnnl_memory_desc flat, dnnl_memory_desc wanted) {
    if (Formats.equal(flat, wanted)) {
      return parameter(offset, flat);
    }
    Parameters.Packed copy = memory.parameters().packed(offset, flat, wanted);
    steps.add(copy);
    return copy.tensor;
  }

  /** A part of the parameter vector. */
  Tensor parameter(int offset, dnnl_memory_desc flat) {
    return memory.parameters().view(offset, flat);
  }

  /**
   * Binds a result of the operation just added, the gradient of a part of the parameter vector, and
   * adds what sums it.
   *
   * @param argument which argument of the operation it is
   * @param offset place of its first entry in the vector
   * @param flat how it lies in the vector
   * @param made how the operation makes it
   */
  void addGradient(
      Operation operation, int argument, int offset, dnnl_memory_desc flat, dnnl_memory_desc made) {
    Tensor fresh = tensor(made);
    var part = memory.gradient().part(offset, flat, made);
    boolean direct = part.isAligned() && Formats.equal(made, part.sum.format());
    operation.with(argument, fresh, () -> direct && part.empty ? part.sum : fresh);
    Tensor same = as(fresh, part.sum.format());
    Step first = direct ? () -> {} : primitives.reorder(same, part.sum);
    Step add = primitives.binary(dnnl_binary_add, part.sum, same, part.sum, Activation.IDENTITY);
    add(
        () -> {
          (part.empty ? first : add).run();
          part.empty = false;
        },
        same);
  }

  /** The same for a gradient that the operation makes as it lies in the vector. */
  void addGradient(Operation operation, int argument, int offset, dnnl_memory_desc flat) {
    addGradient(operation, argument, offset, flat, flat);
  }

  /** Names of the implementations of its convolutions, forward and backward. */
  List<String> convolutions() {
    return primitives.convolutions();
  }

  /** Ends the forward pass. The steps that are added from now on are the backward pass. */
  void endForward() {
    forwardSteps = steps.size();
  }

  List<Step> forward() {
    return steps.subList(0, forwardSteps);
  }

  List<Step> backward() {
    return steps.subList(forwardSteps, steps.size());
  }

  /** Inserts each repetition before the first step of the backward pass that needs its result. */
  private void repeat() {
    List<Step> all = new ArrayList<>(forward());
    for (Step step : backward()) {
      for (Tensor array : step.arrays()) {
        Supplier<Operation> repetition = repetitions.remove(arrays.owner(array));
        if (repetition != null) {
          arrays.rewrite(array, all.size());
          all.add(repetition.get());
        }
      }
      all.add(step);
    }
    steps = all;
  }

  /** Chooses memory for the arrays, after the last step is added. */
  void finish() {
    repeat();
    for (int i = 0; i < steps.size(); i++) {
      for (Tensor array : steps.get(i).arrays()) {
        arrays.use(array, i);
      }
    }
    arrays.place();
  }

  /** Moves the arrays to where the plans' memory is now; call it before running steps. */
  void bind() {
    arrays.bind();
  }

  /** Frees the resources of the plan. */
  public void close() {
    primitives.close();
    arrays.close();
    constants.forEach(Tensor::close);
    constantMemory.close();
  }
}
