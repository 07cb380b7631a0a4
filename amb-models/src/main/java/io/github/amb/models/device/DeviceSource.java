package io.github.amb.models.device;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.graph.GraphReader;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.models.graph.NetworkGraph;
import java.nio.FloatBuffer;
import java.util.Optional;

/** Gradient sums of a network that DL4J describes, computed by a {@link Device}. */
public final class DeviceSource extends GraphSource {
  /** Enough for thousands of lanes, even of small layers. */
  private static final int SLICE = 1024;

  private final Device device;
  private final int size;
  private final Device.Array parameters;
  private final Device.Array gradient;
  private final Device.Call clear;
  private Device.Buffer arrays;
  private long words;

  private DeviceSource(
      Architecture architecture, NetworkGraph network, DataSet data, Device device) {
    super(architecture, network, data);
    this.device = device;
    size = network.layout().size();
    parameters = new Device.Array(device.allocate(size), 0);
    gradient = new Device.Array(device.allocate(size), 0);
    clear = device.prepare("fill", groups(size), gradient, size, 0f);
  }

  private static long groups(long items) {
    return (items + Device.LANES - 1) / Device.LANES;
  }

  /**
   * A source of a network's gradients; empty if the network has a layer that is not supported here.
   *
   * @param data examples of the shape that the network expects
   * @param device closed when the source is
   */
  public static Optional<DeviceSource> of(Architecture architecture, DataSet data, Device device) {
    return GraphReader.read(architecture)
        .map(network -> new DeviceSource(architecture, network, data, device));
  }

  @Override
  protected void start(FloatBuffer source, long drawSeed) {
    load(source);
    clear.run();
    beginDraws(drawSeed);
  }

  @Override
  protected void load(FloatBuffer source) {
    device.write(source, parameters, size);
  }

  @Override
  protected Pass pass(int examples, boolean training) {
    var memory = new DevicePlan.Memory(device, parameters, gradient, random, this::arraysOfAtLeast);
    return new DevicePlan(network, examples, training, memory);
  }

  /** Memory that passes share, which run one at a time. When it grows, passes end that used it. */
  private Device.Buffer arraysOfAtLeast(long needed) {
    if (needed > words) {
      closePasses();
      if (arrays != null) {
        arrays.close();
      }
      words = 0;
      arrays = device.allocate(needed);
      words = needed;
    }
    return arrays;
  }

  @Override
  protected int slice(boolean training) {
    return SLICE;
  }

  @Override
  protected void copySum(FloatBuffer target, boolean empty) {
    device.read(gradient, target, size);
  }

  @Override
  protected void freeMemory() {
    clear.close();
    if (arrays != null) {
      arrays.close();
    }
    parameters.buffer().close();
    gradient.buffer().close();
    device.close();
  }
}
