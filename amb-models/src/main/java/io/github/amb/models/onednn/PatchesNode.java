package io.github.amb.models.onednn;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** The pixels of images as sequences, row by row, plus a vector per position. */
record PatchesNode(Node.Patches node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    int n = plan.examples;
    dnnl_memory_desc rows = Formats.rowMajor(node.shape().dimensions(n));
    Tensor pixels = plan.view(plan.as(x.tensor(), pixels(node.planes(), n)), rows);
    Tensor result = plan.tensor(rows);
    float[] place = new float[node.shape().size()];
    float[] values = new float[node.shape().size()];
    var format = Formats.rowMajor(node.shape().dimensions(1));
    Tensor parameter = plan.parameter(node.places(), format);
    var part = plan.memory.gradient().part(node.places(), format, format);
    plan.add(
        () -> {
          parameter.data().get(place, 0, place.length);
          FloatBuffer from = pixels.buffer();
          FloatBuffer to = result.buffer();
          for (int i = 0; i < n; i++) {
            from.get(i * values.length, values);
            add(place, values);
            to.put(i * values.length, values);
          }
        },
        pixels,
        result);
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Tensor d = plan.as(delta, rows);
          plan.add(() -> addTo(part, d, n, values, place), d);
          x.addGradient(plan.view(d, pixels(node.planes(), n)));
        });
  }

  private static void addTo(
      GradientVector.Part part, Tensor delta, int examples, float[] values, float[] sum) {
    FloatBuffer from = delta.buffer();
    FloatBuffer to = part.added();
    to.get(0, sum);
    for (int i = 0; i < examples; i++) {
      from.get(i * values.length, values);
      add(values, sum);
    }
    to.put(0, sum);
  }

  private static void add(float[] from, float[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  /** The format of images in which the channels of a pixel follow each other. */
  static dnnl_memory_desc pixels(Shape planes, int examples) {
    long channels = planes.channels();
    return Formats.strided(
        planes.dimensions(examples),
        new long[] {planes.size(), 1, planes.width() * channels, channels});
  }
}
