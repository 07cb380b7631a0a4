package io.github.amb.models.python;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.gradient.NativeSource;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.DerivedExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;

/** Gradients that a process of Python computes from examples that it is given, or has. */
final class PythonSource extends NativeSource {
  /** Blocks and targets start at a multiple of so many entries, as PyTorch's own tensors do. */
  private static final int ALIGNED = 16;

  private static final int EVALUATION_SLICE = 256;
  private static final int MAX_EVALUATED = 1 << 20;

  private final PythonProcess process;
  private final Layout layout;
  private final DataSet data;
  private final FloatBuffer parameters;
  private final FloatBuffer gradient;
  private final boolean own;
  private final float[] features;
  private final int[] classes;
  private final int width;
  private ByteBuffer memory = ByteBuffer.allocate(0);
  private Streams streams;
  private long drawSeed;
  private int partitions;

  /**
   * @param process closed with this source, or if it cannot be made
   * @param layout of the module's blocks
   */
  PythonSource(PythonProcess process, Layout layout, DataSet data) {
    this.process = process;
    this.layout = layout;
    this.data = data;
    int positions = data.train().positions();
    own = root(data.train()) instanceof PythonExamples;
    features = new float[own ? 1 : data.shape().size()];
    classes = new int[positions];
    width = data.targets() == Targets.CLASS ? positions : data.classes();
    long entries = 0;
    for (Block block : layout.blocks()) {
      entries += aligned(block.length());
    }
    parameters = process.map("parameters", Float.BYTES * entries).asFloatBuffer();
    gradient = process.map("gradient", Float.BYTES * entries).asFloatBuffer();
    Map<String, Object> form = new HashMap<>();
    form.put("text", data.text() != null);
    form.put("size", features.length);
    form.put("width", width);
    form.put("own", own ? ((PythonExamples) root(data.train())).place() : null);
    process.request("data", form);
    process.ready();
  }

  private static Examples root(Examples examples) {
    return examples instanceof DerivedExamples derived ? root(derived.examples()) : examples;
  }

  private static int number(Examples examples, int example) {
    return examples instanceof DerivedExamples derived
        ? number(derived.examples(), derived.index(example))
        : ((PythonExamples) examples).first() + example;
  }

  private static long aligned(long entries) {
    return (entries + ALIGNED - 1) / ALIGNED * ALIGNED;
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public int trainingExamples() {
    return data.train().count();
  }

  @Override
  public int testExamples() {
    return data.test().count();
  }

  @Override
  public void initialize(long seed, float[] target) {
    process.request("initialize", Map.of("seed", seed));
    copy(parameters, FloatBuffer.wrap(target), false);
  }

  /** Copies all blocks between a vector without gaps and one with gaps. */
  private void copy(FloatBuffer shared, FloatBuffer vector, boolean share) {
    int start = 0;
    for (Block block : layout.blocks()) {
      if (share) {
        shared.put(start, vector, block.offset(), block.length());
      } else {
        vector.put(block.offset(), shared, start, block.length());
      }
      start += (int) aligned(block.length());
    }
  }

  @Override
  protected void start(FloatBuffer source, long seed) {
    copy(parameters, source, true);
    drawSeed = seed;
    streams = new Streams(seed);
    partitions = 0;
  }

  @Override
  protected double add(int[] examples, int from, int to) {
    if (from == to) {
      return 0;
    }
    write(data.train(), examples, from, to, streams.stream("augmentation", 0, partitions));
    Map<String, Object> request = new HashMap<>(Map.of("count", to - from));
    if (partitions++ == 0) {
      request.put("seed", drawSeed);
    }
    return number(process.request("add", request), "loss");
  }

  private double number(JsonNode reply, String name) {
    JsonNode value = reply.path(name);
    process.expect(value.isNumber(), "a number as " + name, reply);
    return value.doubleValue();
  }

  /**
   * Writes examples to memory that the process has mapped.
   *
   * @param changes source of changes to features; null for none
   */
  private void write(
      Examples examples, int[] chosen, int from, int to, UniformRandomProvider changes) {
    int count = to - from;
    int start = (int) aligned((long) count * features.length);
    long bytes = Float.BYTES * (start + (own ? 0L : (long) count * width));
    if (memory.capacity() < bytes) {
      memory = process.map("examples", bytes);
    }
    FloatBuffer floats = memory.asFloatBuffer();
    for (int i = 0; i < count; i++) {
      int example = chosen[from + i];
      if (own) {
        memory.putInt(Integer.BYTES * i, number(examples, example));
        continue;
      }
      if (changes == null) {
        examples.copyFeatures(example, features);
      } else {
        examples.drawFeatures(example, changes, features);
      }
      floats.put(i * features.length, features);
      int target = start + i * width;
      if (data.targets() == Targets.CLASS) {
        examples.copyLabels(example, classes);
        for (int j = 0; j < width; j++) {
          memory.putInt(Integer.BYTES * (target + j), classes[j]);
        }
      } else {
        for (int j = 0; j < width; j++) {
          floats.put(target + j, examples.target(example, j));
        }
      }
    }
  }

  @Override
  protected void end(FloatBuffer target) {
    if (partitions == 0) {
      for (int i = 0; i < layout.size(); i++) {
        target.put(i, 0);
      }
      return;
    }
    process.request("finish", Map.of());
    copy(gradient, target, false);
  }

  @Override
  protected Evaluation score(float[] source, int[] examples, int from, int to) {
    copy(parameters, FloatBuffer.wrap(source), true);
    int slice = Math.max(1, Math.min(EVALUATION_SLICE, MAX_EVALUATED / (features.length + width)));
    double loss = 0;
    double right = 0;
    for (int start = from; start < to; start += slice) {
      int end = Math.min(to, start + slice);
      write(data.test(), examples, start, end, null);
      JsonNode reply = process.request("evaluate", Map.of("count", end - start));
      loss += number(reply, "loss");
      right += number(reply, "right");
    }
    int count = to - from;
    return data.scores(new Evaluation(loss / count, right / count, count));
  }

  @Override
  public Map<String, Double> metrics(float[] source, Evaluation scores) {
    return data.metrics(scores);
  }

  @Override
  protected void free() {
    process.close();
  }
}
