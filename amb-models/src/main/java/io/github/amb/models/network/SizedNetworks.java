package io.github.amb.models.network;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Networks for examples of any shape, whose layers the user counts after the name. */
final class SizedNetworks {
  /** Limit of units or channels of one layer. */
  private static final int MAX = 1 << 16;

  private static final int MAX_KERNEL = 31;
  private static final ImageShape LISTED = new ImageShape(1, 28, 28);

  /** Fully connected layers with ReLU. */
  static final NetworkDefinition MLP =
      NetworkDefinition.of("mlp", LISTED, none -> null)
          .with(new InputRule.AtLeast(1))
          .withArguments("[:UNITS=128,...]", SizedNetworks::mlp);

  /** Convolutions with 2x2 pooling and ReLU. */
  static final NetworkDefinition CNN =
      NetworkDefinition.of("cnn", LISTED, none -> null)
          .with(new InputRule.AtLeast(1))
          .withArguments("[:CHANNELS=16,32,...][,kernel=3][,dense=UNITS]", SizedNetworks::cnn);

  private SizedNetworks() {}

  /** What a user may type for examples of a shape. */
  static String example(ImageShape shape) {
    return Math.min(shape.height(), shape.width()) > 1 ? "cnn:16,32" : "mlp:64,32";
  }

  /**
   * The text of a network whose arguments a run of an earlier version did not record.
   *
   * @param name as recorded
   * @param layout of its parameters
   * @return {@code name} if it has arguments, or needs none
   */
  static String restored(String name, Layout layout) {
    List<int[]> weights =
        layout.blocks().stream()
            .filter(block -> block.name().matches("(conv|fc)\\d+\\.W"))
            .map(Block::shape)
            .toList();
    if (weights.isEmpty() || !Networks.isSized(name)) {
      return name;
    }
    boolean convolutions = name.equals(CNN.name());
    List<int[]> convolved = weights.stream().filter(shape -> shape.length > 2).toList();
    List<int[]> counted = convolutions ? convolved : weights.subList(0, weights.size() - 1);
    if (counted.isEmpty()) {
      return name;
    }
    String counts =
        counted.stream().map(shape -> Integer.toString(shape[0])).collect(Collectors.joining(","));
    String more = "";
    if (convolutions) {
      boolean dense = weights.size() - convolved.size() > 1;
      more = ",kernel=" + convolved.get(0)[2];
      more += dense ? ",dense=" + weights.get(convolved.size())[0] : "";
    }
    String arguments = counts + more;
    return arguments.equals(convolutions ? "16,32,kernel=3" : "128")
        ? name
        : name + ":" + arguments;
  }

  private static Function<Requirements, Architecture> mlp(EntryArguments arguments) {
    List<Integer> units = arguments.counts(List.of(128), 1, MAX);
    return requirements -> {
      LayerStack layers = new LayerStack(requirements);
      for (int i = 0; i < units.size(); i++) {
        layers.normalizedDense("fc" + (i + 1), units.get(i));
      }
      return layers.softmax("fc" + (units.size() + 1));
    };
  }

  private static Function<Requirements, Architecture> cnn(EntryArguments arguments) {
    List<Integer> channels = arguments.counts(List.of(16, 32), 1, MAX);
    int kernel = arguments.count("kernel", 3, 1, MAX_KERNEL);
    int dense = arguments.count("dense", 0, 1, MAX);
    return requirements -> {
      LayerStack layers = new LayerStack(requirements);
      for (int i = 1; i <= channels.size(); i++) {
        layers.convolution("conv" + i, kernel, channels.get(i - 1)).norm("conv" + i);
        layers.poolingRelu("pool" + i);
      }
      if (dense > 0) {
        layers.normalizedDense("fc1", dense);
      }
      return layers.softmax(dense > 0 ? "fc2" : "fc1");
    };
  }
}
