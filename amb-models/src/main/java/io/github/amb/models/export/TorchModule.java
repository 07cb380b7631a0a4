package io.github.amb.models.export;

import io.github.amb.core.file.Printable;
import io.github.amb.core.file.Reading;
import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.KernelWindow;
import io.github.amb.models.graph.NetworkGraph;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Node.Pooling.Kind;
import io.github.amb.models.graph.Shape;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/** A network as the code of a module of PyTorch. */
public final class TorchModule {
  private static final String POSITIONS = "nn.Parameter(torch.zeros(%d, %d))";

  private final PortableNetwork network;
  private final List<NetworkGraph.Vertex> vertices;
  private final StringBuilder modules = new StringBuilder();
  private final StringBuilder forward = new StringBuilder();

  /** Places of the arrays that a module has. */
  private final Set<Integer> held = new HashSet<>();

  private TorchModule(PortableNetwork network) {
    this.network = network;
    vertices = network.graph().vertices();
  }

  /** The code, which reads the network's arrays from {@code weights.npz} beside it. */
  public static String code(PortableNetwork network) {
    String template = Reading.text(() -> TorchModule.class.getResourceAsStream("model.py"));
    return new TorchModule(network).code(template);
  }

  private String code(String template) {
    for (int i = 0; i < vertices.size(); i++) {
      Node node = vertices.get(i).node();
      int[] inputs = vertices.get(i).inputs();
      String value = value(node, IntStream.of(inputs).mapToObj(this::variable).toList());
      assign(variable(i + 1), activated(node.activation(), value));
    }
    String facts = Printable.printable(network.facts().toString()).replace('\n', ' ');
    String function = network.predicts();
    String rows = function.equals("softmax") ? "self(x), -1" : "self(x)";
    String predictions = function.equals("identity") ? rows : "F.%s(%s)".formatted(function, rows);
    return template.formatted(facts, modules, variable(0), forward, predictions);
  }

  /** The name of a value, which is {@code x} if none but the next vertex uses it. */
  private String variable(int value) {
    boolean kept =
        IntStream.range(value + 1, vertices.size())
            .anyMatch(i -> IntStream.of(vertices.get(i).inputs()).anyMatch(j -> j == value));
    return kept ? "x" + value : "x";
  }

  private void assign(String variable, String value) {
    forward.append("        %s = %s\n".formatted(variable, value));
  }

  /** Adds the module of an array; returns its name. */
  private String module(int place, String definition, Object... arguments) {
    held.add(place);
    String name = "self." + network.name(place).replaceFirst("\\..*", "");
    modules.append("        %s = %s\n".formatted(name, definition.formatted(arguments)));
    return name;
  }

  /** Adds the module of an array; returns its value for {@code x}. */
  private String layer(String x, int place, String definition, Object... arguments) {
    return "%s(%s)".formatted(module(place, definition, arguments), x);
  }

  /** Adds the modules of a node; returns the expression of its value without its activation. */
  private String value(Node node, List<String> inputs) {
    String x = inputs.get(0);
    Shape shape = node.shape();
    int width = shape.isSequence() ? shape.features() : shape.channels();
    if (node instanceof Node.Elementwise) {
      return x;
    } else if (node instanceof Node.Dense dense) {
      return dense(dense, x);
    } else if (node instanceof Node.Convolution conv) {
      String form = "nn.Conv2d(%d, %d, %s, groups=%d, bias=%s)";
      int in = conv.input().channels();
      int groups = conv.depthwise() ? in : 1;
      String y = padded(conv.window(), x, "");
      String biased = truth(conv.bias() >= 0);
      return layer(y, conv.weights(), form, in, width, sizes(conv.window()), groups, biased);
    } else if (node instanceof Node.Pooling pooling) {
      return pooling(pooling, x) + (shape.isVector() ? ".flatten(1)" : "");
    } else if (node instanceof Node.Normalization norm) {
      int first = norm.scaled() ? norm.offset() : norm.statistics();
      String form = "nn.BatchNorm%s(%d, eps=%s, momentum=%s, affine=" + truth(norm.scaled()) + ")";
      String axes = shape.isVector() ? "1d" : "2d";
      return layer(x, first, form, axes, width, norm.epsilon(), rest(norm.decay()));
    } else if (node instanceof Node.GroupNormalization norm) {
      String form = "nn.GroupNorm(%d, %d, eps=%s)";
      return layer(x, norm.offset(), form, norm.groups(), width, norm.epsilon());
    } else if (node instanceof Node.LayerNormalization norm) {
      String form = "nn.LayerNorm(%d, eps=%s, bias=%s)";
      return layer(x, norm.offset(), form, width, norm.epsilon(), truth(norm.shifted()));
    } else if (node instanceof Node.Sum) {
      return x + " + " + inputs.get(1);
    } else if (node instanceof Node.Concatenation) {
      return "torch.cat([" + String.join(", ", inputs) + "], 1)";
    } else if (node instanceof Node.Scale scale) {
      return scale.factor() + " * " + x;
    } else if (node instanceof Node.Padding pad) {
      int[] sides = {pad.left(), pad.right(), pad.top(), pad.bottom()};
      return "F.pad(%s, %s)".formatted(x, Arrays.toString(sides));
    } else if (node instanceof Node.Dropout dropout) {
      return "F.dropout(%s, %s, self.training)".formatted(x, rest(dropout.keep()));
    } else if (node instanceof Node.Embedding embedding) {
      String form = "nn.Embedding(%d, %d)";
      String y = layer(x, embedding.tokens(), form, embedding.vocabulary(), width);
      String places = module(embedding.places(), POSITIONS, embedding.context(), width);
      return "%s + %s[:%s.shape[1]]".formatted(y, places, x);
    } else if (node instanceof Node.Patches patches) {
      String places = module(patches.places(), POSITIONS, shape.positions(), width);
      return x + ".flatten(2).transpose(1, 2) + " + places;
    } else if (node instanceof Node.SequenceMean) {
      return x + ".mean(1)";
    }
    Node.Attention attention = (Node.Attention) node;
    String parts = "%s.unflatten(2, (3, %d, -1)).permute(2, 0, 3, 1, 4)";
    assign("q, k, v", parts.formatted(x, attention.heads()));
    String form = "F.scaled_dot_product_attention(q, k, v, None, %s * self.training, %s)";
    String heads = form.formatted(rest(attention.keep()), truth(attention.causal()));
    return heads + ".transpose(1, 2).flatten(2)";
  }

  private static String truth(boolean value) {
    return value ? "True" : "False";
  }

  private static float rest(double share) {
    return (float) (1 - share);
  }

  private static String activated(Activation activation, String x) {
    return switch (activation) {
      case IDENTITY -> x;
      case GELU_TANH -> "F.gelu(" + x + ", approximate=\"tanh\")";
      default -> "F." + activation.name().toLowerCase(Locale.ROOT) + "(" + x + ")";
    };
  }

  private String dense(Node.Dense node, String x) {
    if (held.contains(node.weights())) {
      return "F.linear(%s, self.%s)".formatted(x, network.name(node.weights()));
    }
    int in = node.input().features();
    boolean planes = PortableNetwork.sizes(node.input()).size() == 3;
    String rows = planes ? x + ".flatten(1)" : x;
    String form = "nn.Linear(%d, %d, bias=%s)";
    return layer(rows, node.weights(), form, in, node.outputs(), truth(node.bias() >= 0));
  }

  /** Adds what a window covers around {@code x}, if that is not as much on both sides. */
  private static String padded(KernelWindow window, String x, String value) {
    long[] sides = {window.before()[1], window.after()[1], window.before()[0], window.after()[0]};
    return isEven(window) ? x : "F.pad(%s, %s%s)".formatted(x, Arrays.toString(sides), value);
  }

  /** Whether PyTorch's layers can pad it. */
  private static boolean isEven(KernelWindow window) {
    return Arrays.equals(window.before(), window.after());
  }

  /** Kernel, stride and padding, as arguments. */
  private static String sizes(KernelWindow window) {
    String kernel = Arrays.toString(window.kernel()) + ", " + Arrays.toString(window.stride());
    return isEven(window) ? kernel + ", " + Arrays.toString(window.before()) : kernel + ", 0";
  }

  private static String pooling(Node.Pooling node, String x) {
    KernelWindow window = node.window();
    boolean max = node.kind() == Kind.MAX;
    String counted = truth(node.kind() == Kind.MEAN_WITH_PADDING);
    String function = max ? "F.max_pool2d(%s, " : "F.avg_pool2d(%s, ";
    String form = function + sizes(window) + (max ? ")" : ", False, " + counted + ")");
    String y = form.formatted(padded(window, x, max ? ", value=-torch.inf" : ""));
    String share = form.formatted(padded(window, "torch.ones_like(" + x + ")", ""));
    return isEven(window) || node.kind() != Kind.MEAN ? y : y + " / " + share;
  }
}
