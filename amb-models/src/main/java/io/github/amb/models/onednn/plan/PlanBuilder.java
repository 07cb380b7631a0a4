package io.github.amb.models.onednn.plan;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_dst_md;

import io.github.amb.models.onednn.Plan;
import io.github.amb.models.onednn.primitive.Activation;
import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Primitives;
import io.github.amb.models.onednn.primitive.Scratchpad;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Builds a {@link Plan}. Layers add operations in the order of execution: first the forward pass,
 * then the backward pass.
 */
public final class PlanBuilder {
  private final int examples;
  private final boolean training;
  private final Memory memory;
  private final Arena arena = new Arena();
  private final Arena constants = new Arena();
  private final Primitives primitives;
  private final List<Tensor> tensors = new ArrayList<>();
  private final Map<Tensor, Arena.Region> regions = new HashMap<>();
  private final Map<Tensor, Integer> users = new HashMap<>();
  private final Map<Tensor, Tensor> bases = new HashMap<>();
  private List<Step> steps = new ArrayList<>();

  /**
   * Memory and random draws that the plans of one network share.
   *
   * @param random source of the layers' random draws
   */
  public record Memory(
      Parameters parameters,
      GradientVector gradient,
      Scratchpad scratchpad,
      DropoutRandom random) {}

  /**
   * @param examples number of examples that pass at a time
   * @param training whether there is a backward pass
   */
  public PlanBuilder(int examples, boolean training, Memory memory) {
    this.examples = examples;
    this.training = training;
    this.memory = memory;
    primitives = new Primitives(memory.scratchpad());
  }

  public int examples() {
    return examples;
  }

  public boolean isTraining() {
    return training;
  }

  /** oneDNN's constant for the kind of forward pass. */
  public int propagation() {
    return training ? dnnl_forward_training : dnnl_forward_inference;
  }

  public Memory memory() {
    return memory;
  }

  /** Adds a step. */
  public void add(Step step) {
    steps.add(step);
  }

  /** Adds an operation, whose arguments the caller binds. */
  public Operation operation(String what, Primitives.Description call) {
    Operation operation = prepare(what, Activation.IDENTITY, call);
    steps.add(operation);
    return operation;
  }

  /** Creates an operation without adding it. */
  public Operation prepare(String what, Activation after, Primitives.Description call) {
    return primitives.operation(what, after, call);
  }

  /** Allocates an array, to be released. */
  public Tensor tensor(dnnl_memory_desc format) {
    Arena.Region region = arena.allocate(Tensor.bytes(format));
    Tensor tensor = new Tensor(format, region.start());
    tensors.add(tensor);
    regions.put(tensor, region);
    users.put(tensor, 1);
    return tensor;
  }

  /** A view of the same memory in another format; one release releases both. */
  public Tensor view(Tensor tensor, dnnl_memory_desc format) {
    Tensor view = new Tensor(format, tensor.data());
    tensors.add(view);
    bases.put(view, base(tensor));
    return view;
  }

  private Tensor base(Tensor tensor) {
    return bases.getOrDefault(tensor, tensor);
  }

  /** A constant vector with equal entries; it is not released. */
  public Tensor constant(int length, float value) {
    dnnl_memory_desc format = Formats.rowMajor(length);
    Tensor constant = new Tensor(format, constants.allocate(Tensor.bytes(format)).start());
    tensors.add(constant);
    float[] values = new float[length];
    Arrays.fill(values, value);
    constant.data().put(values, 0, length);
    return constant;
  }

  /** Copies an array to another, or to a part of it, of the same dimensions. */
  public void copy(Tensor from, Tensor to) {
    steps.add(primitives.reorder(from, to));
  }

  /** Concatenates arrays along their second dimension. */
  public Tensor concatenation(List<Tensor> parts) {
    Operation operation = primitives.concatenation(parts);
    Tensor result = tensor(operation.format(dnnl_query_dst_md));
    steps.add(operation.with(DNNL_ARG_DST, result));
    return result;
  }

  /** Registers one more user of an array, so that no operation overwrites it. */
  public void share(Tensor tensor) {
    users.merge(base(tensor), 1, Integer::sum);
  }

  /** Releases an array for one of its users. */
  public void release(Tensor tensor) {
    Tensor owner = base(tensor);
    if (users.merge(owner, -1, Integer::sum) == 0) {
      arena.release(regions.remove(owner));
    }
  }

  /** Releases an array for one of its users, unless a backward pass will need it. */
  public void releaseUnlessTraining(Tensor tensor) {
    if (!training) {
      release(tensor);
    }
  }

  /** The array in another format: itself or a copy. The caller releases the result. */
  public Tensor as(Tensor tensor, dnnl_memory_desc format) {
    if (Formats.equal(tensor.format(), format)) {
      share(tensor);
      return tensor;
    }
    Tensor copy = tensor(format);
    steps.add(primitives.reorder(tensor, copy));
    return copy;
  }

  /** The sum of two gradients; both arguments are released. */
  Tensor sumInto(Tensor a, Tensor b) {
    Tensor same = as(b, a.format());
    Tensor sum = users.get(base(a)) == 1 ? a : tensor(a.format());
    steps.add(primitives.add(a, same, sum, Activation.IDENTITY));
    if (sum != a) {
      release(a);
    }
    release(same);
    release(b);
    return sum;
  }

  /** The sum of two results. */
  public Tensor sum(Tensor a, Tensor b, Activation after) {
    Tensor same = as(b, a.format());
    Tensor sum = tensor(a.format());
    steps.add(primitives.add(a, same, sum, after));
    release(same);
    return sum;
  }

  /** A part of the parameter vector, copied if it is needed in another format. */
  public Tensor parameter(int offset, dnnl_memory_desc flat, dnnl_memory_desc wanted) {
    if (Formats.equal(flat, wanted)) {
      return parameter(offset, flat);
    }
    Parameters.Packed copy = memory.parameters().packed(offset, flat, wanted);
    steps.add(copy);
    return copy.tensor();
  }

  /** A part of the parameter vector. */
  public Tensor parameter(int offset, dnnl_memory_desc flat) {
    return memory.parameters().view(offset, flat);
  }

  /**
   * The gradient of a part of the parameter vector, as an operation makes it.
   *
   * @param argument which argument of the operation it is
   * @param offset place of its first entry in the vector
   * @param flat how it lies in the vector
   * @param made how the operation makes it
   */
  public record PartGradient(
      int argument, int offset, dnnl_memory_desc flat, dnnl_memory_desc made) {
    /** One that the operation makes as it lies in the vector. */
    public PartGradient(int argument, int offset, dnnl_memory_desc flat) {
      this(argument, offset, flat, flat);
    }
  }

  /**
   * Binds results of the operation just added, gradients of parts of the parameter vector, and adds
   * what sums them.
   */
  public void addGradients(Operation operation, List<PartGradient> gradients) {
    // All have memory before one is released, as the operation makes them at once.
    List<Tensor> fresh = gradients.stream().map(gradient -> tensor(gradient.made())).toList();
    for (int i = 0; i < fresh.size(); i++) {
      operation.with(gradients.get(i).argument(), fresh.get(i));
    }
    for (int i = 0; i < fresh.size(); i++) {
      addToSum(gradients.get(i), fresh.get(i));
    }
  }

  private void addToSum(PartGradient gradient, Tensor fresh) {
    var part = memory.gradient().part(gradient.offset(), gradient.flat(), gradient.made());
    Tensor same = as(fresh, part.sum().format());
    Operation copy = primitives.reorder(same, part.sum());
    Operation add = primitives.add(part.sum(), same, part.sum(), Activation.IDENTITY);
    steps.add(
        () -> {
          (part.isEmpty() ? copy : add).run();
          part.fill();
        });
    release(same);
    release(fresh);
  }

  /** Names of the implementations of its convolutions, forward and backward. */
  public List<String> convolutions() {
    return primitives.convolutions();
  }

  /** The steps that were added since the last call. */
  public List<Step> takeSteps() {
    List<Step> taken = steps;
    steps = new ArrayList<>();
    return taken;
  }

  /** Frees the resources of the plan. */
  public void close() {
    primitives.close();
    tensors.forEach(Tensor::close);
    arena.close();
    constants.close();
  }
}
