package io.github.amb.models.device;

import io.github.amb.models.graph.DropoutRandom;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.models.graph.NetworkGraph;
import io.github.amb.models.graph.Placement;
import io.github.amb.models.graph.Value;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A network for a fixed number of examples at a time: all kernels in order, and where their arrays
 * are. Layers add kernels in the order of execution: first the forward pass, then the backward
 * pass.
 */
final class DevicePlan implements GraphSource.Pass {
  final int examples;
  final boolean training;

  /** The values of the examples, as they were put. */
  final float[] values;

  private final Memory memory;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final Slot input;
  private final Slot output;
  private final Slot outputGradient;
  private final FloatBuffer staged;
  private Device.Buffer arrays;
  private List<Runnable> forward;
  private List<Runnable> backward;
  private List<Device.Call> calls = new ArrayList<>();

  /**
   * What the plans of one network share.
   *
   * @param arrays gives memory of at least so many words, which another plan may use, too
   */
  record Memory(
      Device device,
      Device.Array parameters,
      Device.Array gradient,
      DropoutRandom random,
      LongFunction<Device.Buffer> arrays) {}

  /** An array of results, which has its memory from the first step that uses it to the last. */
  static final class Slot {
    private final long words;
    private int first = Integer.MAX_VALUE;
    private int last = -1;
    private long offset;

    private Slot(long words) {
      this.words = words;
    }

    /** Number of entries. */
    long words() {
      return words;
    }

    /** The part of this array that begins at an index. */
    Part at(long offset) {
      return new Part(this, offset);
    }

    private void use(int step) {
      first = Math.min(first, step);
      last = Math.max(last, step);
    }
  }

  /** A part of an array of results. */
  record Part(Slot slot, long offset) {}

  /**
   * A kernel, or an action of the host.
   *
   * @param action null for a kernel
   */
  private record Step(String kernel, long groups, Object[] arguments, Runnable action) {}

  /**
   * @param examples number of examples that pass at a time
   * @param training whether there is a backward pass
   */
  DevicePlan(NetworkGraph network, int examples, boolean training, Memory memory) {
    this.examples = examples;
    this.training = training;
    this.memory = memory;
    values = new float[Math.multiplyExact(examples, network.input().size())];
    staged = FloatBuffer.wrap(values);
    input = slot(values.length);
    input.use(0);
    var layers = new DeviceLayers(this);
    List<Value<Slot>> results = new ArrayList<>();
    results.add(new Value<>(input, network.input(), null));
    for (NetworkGraph.Vertex vertex : network.vertices()) {
      List<Value<Slot>> inputs = Arrays.stream(vertex.inputs()).mapToObj(results::get).toList();
      results.add(layers.add(vertex.node(), inputs));
    }
    Value<Slot> last = results.get(results.size() - 1);
    output = last.tensor();
    int forwardSteps = steps.size();
    output.use(forwardSteps);
    outputGradient = slot(output.words);
    outputGradient.use(forwardSteps);
    if (training) {
      last.addGradient(outputGradient);
      for (int i = results.size() - 1; i >= 0; i--) {
        results.get(i).backward(layers::sum);
      }
    }
    place(forwardSteps);
  }

  /** A new array of results of fewer than 2³¹ entries. */
  Slot slot(long words) {
    if (words > Integer.MAX_VALUE - Device.LANES) {
      throw new DeviceException(
          "expected a layer of fewer than 2^31 values of %d examples, found %d; choose a smaller"
              + " --batch-size or partition",
          examples, words);
    }
    Slot slot = new Slot(words);
    slots.add(slot);
    return slot;
  }

  /** The part of the parameters that begins at an index. */
  Device.Array parameter(int offset) {
    return memory.parameters().at(offset);
  }

  /** The part of the gradient that begins at an index, to which the backward pass adds. */
  Device.Array gradient(int offset) {
    return memory.gradient().at(offset);
  }

  DropoutRandom random() {
    return memory.random();
  }

  /** Adds a kernel with a lane per item. */
  void perItem(String kernel, long items, Object... arguments) {
    perGroup(kernel, (items + Device.LANES - 1) / Device.LANES, arguments);
  }

  /**
   * Adds a kernel.
   *
   * @param arguments each a {@link Slot}, a {@link Part}, a {@link Device.Array}, an Integer or a
   *     Float
   */
  void perGroup(String kernel, long groups, Object... arguments) {
    for (Object argument : arguments) {
      if (argument instanceof Slot slot) {
        slot.use(steps.size());
      } else if (argument instanceof Part part) {
        part.slot.use(steps.size());
      }
    }
    steps.add(new Step(kernel, groups, arguments, null));
  }

  /** Adds an action of the host, which fills some arrays with {@link #write}. */
  void action(Runnable action, Slot... filled) {
    for (Slot slot : filled) {
      slot.use(steps.size());
    }
    steps.add(new Step(null, 0, null, action));
  }

  /** Copies the first entries to an array, when the plan runs. */
  void write(float[] from, Slot to, int length) {
    memory.device().write(FloatBuffer.wrap(from), array(to, 0), length);
  }

  /** The same with integers. */
  void write(int[] from, Slot to, int length) {
    memory.device().write(from, array(to, 0), length);
  }

  private Device.Array array(Slot slot, long offset) {
    return new Device.Array(arrays, slot.offset + offset);
  }

  private void place(int forwardSteps) {
    List<Slot> used = slots.stream().filter(slot -> slot.last >= 0).toList();
    var placement =
        new Placement(
            used.stream()
                .map(
                    slot ->
                        new Placement.Lifetime(
                            List.of(new Placement.Span(slot.first, slot.last)),
                            slot.words * Float.BYTES))
                .toList());
    for (int i = 0; i < used.size(); i++) {
      used.get(i).offset = placement.offset(i) / Float.BYTES;
    }
    arrays = memory.arrays().apply(placement.bytes() / Float.BYTES);
    try {
      List<Runnable> all = steps.stream().map(this::prepared).toList();
      forward = all.subList(0, forwardSteps);
      backward = all.subList(forwardSteps, all.size());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private Runnable prepared(Step step) {
    if (step.action != null) {
      return step.action;
    }
    Object[] arguments = new Object[step.arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      Object argument = step.arguments[i];
      if (argument instanceof Slot slot) {
        argument = array(slot, 0);
      } else if (argument instanceof Part part) {
        argument = array(part.slot, part.offset);
      }
      arguments[i] = argument;
    }
    Device.Call call = memory.device().prepare(step.kernel, step.groups, arguments);
    calls.add(call);
    return call::run;
  }

  @Override
  public void put(int row, float[] example) {
    System.arraycopy(example, 0, values, row * example.length, example.length);
  }

  @Override
  public void forward() {
    memory.device().write(staged, array(input, 0), values.length);
    forward.forEach(Runnable::run);
  }

  @Override
  public void read(float[] target, int from, int length) {
    FloatBuffer to = FloatBuffer.wrap(target, from, length).slice();
    memory.device().read(array(output, 0), to, length);
  }

  @Override
  public void backward(float[] gradient, int length) {
    write(gradient, outputGradient, length);
    backward.forEach(Runnable::run);
    memory.device().finish(); // The time of a partition is that of its kernels.
  }

  @Override
  public void close() {
    calls.forEach(Device.Call::close);
  }
}
