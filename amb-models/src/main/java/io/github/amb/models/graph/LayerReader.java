package io.github.amb.models.graph;

import io.github.amb.core.gradient.Block;
import io.github.amb.models.dl4j.GroupNormalization;
import io.github.amb.models.dl4j.Loss;
import io.github.amb.models.dl4j.SelfAttention;
import io.github.amb.models.dl4j.SequenceEmbedding;
import io.github.amb.models.dl4j.SequenceLayer;
import io.github.amb.models.dl4j.SequenceMean;
import io.github.amb.models.dl4j.SequenceNormalization;
import io.github.amb.models.dl4j.SequencePatches;
import io.github.amb.models.dl4j.TiedOutput;
import io.github.amb.models.graph.Node.Pooling.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.dropout.IDropout;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DepthwiseConvolution2D;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;

/** Reads the configuration of one of DL4J's layers, as one node or two. */
final class LayerReader {
  private static final int[] ONES = {1, 1};

  private final String name;
  private final Shape input;
  private final List<Block> blocks;
  private int offset;

  /**
   * @param name of the layer
   * @param input shape of the layer's input
   * @param offset index of the layer's first parameter
   * @param blocks receives the layer's parameter blocks
   */
  LayerReader(String name, Shape input, int offset, List<Block> blocks) {
    this.name = name;
    this.input = input;
    this.offset = offset;
    this.blocks = blocks;
  }

  /** The layer, preceded by its dropout; empty if it is not supported here. */
  Optional<List<Node>> read(Layer layer) {
    if (layer instanceof DropoutLayer) {
      return dropout(layer.getIDropout()).map(List::of);
    }
    boolean noisy = layer instanceof BaseLayer base && base.getWeightNoise() != null;
    Optional<Node> node = noisy ? Optional.empty() : node(layer);
    if (node.isEmpty() || layer.getIDropout() == null) {
      return node.map(List::of);
    }
    return dropout(layer.getIDropout()).map(before -> List.of(before, node.get()));
  }

  private Optional<Node> dropout(IDropout dropout) {
    return dropout instanceof Dropout known && known.getPSchedule() == null
        ? Optional.of(new Node.Dropout(input, known.getP()))
        : Optional.empty();
  }

  private Optional<Node> node(Layer layer) {
    // Exact types: a subclass may compute something else.
    Class<?> type = layer.getClass();
    if (type == ConvolutionLayer.class) {
      return convolution((ConvolutionLayer) layer, false);
    } else if (type == DepthwiseConvolution2D.class) {
      return convolution((ConvolutionLayer) layer, true);
    } else if (type == SubsamplingLayer.class) {
      return pooling((SubsamplingLayer) layer);
    } else if (type == BatchNormalization.class) {
      return normalization((BatchNormalization) layer);
    } else if (type == DenseLayer.class) {
      return dense((DenseLayer) layer);
    } else if (type == OutputLayer.class) {
      return output((OutputLayer) layer);
    } else if (type == GlobalPoolingLayer.class) {
      return globalPooling((GlobalPoolingLayer) layer);
    } else if (type == GroupNormalization.class) {
      return Optional.of(groupNormalization());
    } else if (type == ZeroPaddingLayer.class) {
      return padding((ZeroPaddingLayer) layer);
    } else if (layer instanceof RnnOutputLayer output && input.isSequence()) {
      return sequenceOutput(output);
    }
    return layer instanceof SequenceLayer sequence ? sequence(sequence) : Optional.empty();
  }

  private Optional<Node> sequence(SequenceLayer layer) {
    int first = offset;
    for (SequenceLayer.Parameter parameter : layer.parameters()) {
      Block.Kind kind = parameter.shape().length > 1 ? Block.Kind.WEIGHT : Block.Kind.BIAS;
      int[] shape = Arrays.stream(parameter.shape()).mapToInt(Math::toIntExact).toArray();
      block(parameter.key(), kind, shape);
    }
    int in = (int) layer.getNIn();
    int out = (int) layer.getNOut();
    Shape shape = Shape.sequence(input.positions(), out);
    if (layer instanceof SequenceEmbedding embedding) {
      return Optional.of(
          new Node.Embedding(
              Shape.sequence(input.size(), out), in, embedding.context(), first, first + in * out));
    } else if (layer instanceof SequencePatches) {
      return Optional.of(new Node.Patches(input, first));
    } else if (layer instanceof SequenceMean) {
      return Optional.of(new Node.SequenceMean(input));
    } else if (layer instanceof SequenceNormalization norm) {
      boolean shifted = norm.parameters().size() > 1;
      return Optional.of(
          new Node.LayerNormalization(shape, first, shifted, (float) norm.epsilon()));
    } else if (layer instanceof SelfAttention attention) {
      return Optional.of(
          new Node.Attention(shape, attention.heads(), attention.causal(), attention.keep()));
    }
    int bias = layer.parameters().size() > 1 ? first + in * out : -1;
    return Activation.of(layer.getActivationFn())
        .map(activation -> new Node.Dense(input, out, first, bias, activation));
  }

  /** Reads an output per position without its softmax and loss. */
  private Optional<Node> sequenceOutput(RnnOutputLayer layer) {
    if (!isClassifier(layer)) {
      return Optional.empty();
    }
    if (!(layer instanceof TiedOutput tied)) {
      return Optional.of(denseNode(layer, layer.hasBias(), Activation.IDENTITY));
    }
    int out = (int) tied.getNOut();
    return blocks.stream()
        .filter(block -> block.name().equals(tied.embedding() + ".W"))
        .filter(block -> Arrays.equals(block.shape(), new int[] {out, input.features()}))
        .findFirst()
        .map(block -> new Node.Dense(input, out, block.offset(), -1, Activation.IDENTITY));
  }

  private static boolean isClassifier(BaseOutputLayer layer) {
    return layer.getActivationFn() instanceof ActivationSoftmax
        && layer.getLossFn() instanceof LossMCXENT loss
        && loss.getWeights() == null;
  }

  private int block(String key, Block.Kind kind, int... shape) {
    int start = offset;
    blocks.add(new Block(name + "." + key, kind, start, shape));
    offset += Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    return start;
  }

  private Optional<Node> convolution(ConvolutionLayer layer, boolean depthwise) {
    boolean known =
        layer.getCnn2dDataFormat() == CNN2DFormat.NCHW
            && Arrays.equals(layer.getDilation(), ONES)
            && layer.getConvolutionMode() != ConvolutionMode.Causal;
    Optional<Activation> activation = Activation.of(layer.getActivationFn());
    if (!known || activation.isEmpty()) {
      return Optional.empty();
    }
    int[] kernel = layer.getKernelSize();
    KernelWindow window =
        KernelWindow.of(
            input, kernel, layer.getStride(), layer.getPadding(), layer.getConvolutionMode());
    int out = (int) layer.getNOut();
    int bias = layer.hasBias() ? block("b", Block.Kind.BIAS, out) : -1;
    int in = input.channels();
    int weights =
        depthwise
            ? block("W", Block.Kind.WEIGHT, kernel[0], kernel[1], in, out / in)
            : block("W", Block.Kind.WEIGHT, out, in, kernel[0], kernel[1]);
    Shape result = window.over(input, out);
    return Optional.of(
        new Node.Convolution(input, result, window, weights, bias, depthwise, activation.get()));
  }

  private Optional<Node> pooling(SubsamplingLayer layer) {
    boolean known =
        layer.getCnn2dDataFormat() == CNN2DFormat.NCHW
            && Arrays.equals(layer.getDilation(), ONES)
            && layer.getConvolutionMode() != ConvolutionMode.Causal;
    Optional<Kind> pooling = kind(layer.getPoolingType(), layer.isAvgPoolIncludePadInDivisor());
    KernelWindow window =
        KernelWindow.of(
            input,
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode());
    Shape result = window.over(input, input.channels());
    return known
        ? pooling.map(kind -> new Node.Pooling(input, result, result, window, kind))
        : Optional.empty();
  }

  private static Optional<Kind> kind(PoolingType type, boolean includePadding) {
    return switch (type) {
      case MAX -> Optional.of(Kind.MAX);
      case AVG -> Optional.of(includePadding ? Kind.MEAN_WITH_PADDING : Kind.MEAN);
      default -> Optional.empty();
    };
  }

  private Optional<Node> globalPooling(GlobalPoolingLayer layer) {
    if (input.isVector() || input.isSequence() || !layer.isCollapseDimensions()) {
      return Optional.empty();
    }
    Shape planes = new Shape(input.channels(), 1, 1);
    Shape vector = Shape.vector(input.channels());
    return kind(layer.getPoolingType(), false)
        .map(kind -> new Node.Pooling(input, planes, vector, KernelWindow.whole(input), kind));
  }

  /** Reads a normalization; DL4J ignores its activation. */
  private Optional<Node> normalization(BatchNormalization layer) {
    boolean known =
        layer.isUseLogStd()
            && layer.getCnn2DFormat() == CNN2DFormat.NCHW
            && (!layer.isLockGammaBeta() || layer.getGamma() == 1 && layer.getBeta() == 0);
    if (!known) {
      return Optional.empty();
    }
    int channels = input.channels();
    int first = offset;
    boolean scaled = !layer.isLockGammaBeta();
    if (scaled) {
      block("gamma", Block.Kind.BIAS, channels);
      block("beta", Block.Kind.BIAS, channels);
    }
    block("mean", Block.Kind.RUNNING_STATISTIC, channels);
    block("log10stdev", Block.Kind.RUNNING_STATISTIC, channels);
    return Optional.of(
        new Node.Normalization(
            input, first, scaled, layer.getDecay(), layer.getEps(), Activation.IDENTITY));
  }

  private Node groupNormalization() {
    int channels = input.channels();
    int groups = input.isVector() ? 1 : GroupNormalization.groups(channels);
    int gamma = block("gamma", Block.Kind.BIAS, channels);
    block("beta", Block.Kind.BIAS, channels);
    return new Node.GroupNormalization(
        input, groups, gamma, GroupNormalization.EPSILON, Activation.IDENTITY);
  }

  private Optional<Node> padding(ZeroPaddingLayer layer) {
    if (layer.getDataFormat() != CNN2DFormat.NCHW) {
      return Optional.empty();
    }
    int[] sides = layer.getPadding();
    Shape result =
        new Shape(
            input.channels(),
            input.height() + sides[0] + sides[1],
            input.width() + sides[2] + sides[3]);
    return Optional.of(new Node.Padding(input, result, sides[0], sides[2]));
  }

  private Optional<Node> dense(DenseLayer layer) {
    return Activation.of(layer.getActivationFn())
        .map(activation -> denseNode(layer, layer.hasBias(), activation));
  }

  private Node denseNode(FeedForwardLayer layer, boolean biased, Activation activation) {
    int out = (int) layer.getNOut();
    int weights = block("W", Block.Kind.WEIGHT, out, input.features());
    int bias = biased ? block("b", Block.Kind.BIAS, out) : -1;
    return new Node.Dense(input, out, weights, bias, activation);
  }

  /** Reads an output layer without its loss, and what that computes with it. */
  private Optional<Node> output(OutputLayer layer) {
    if (isClassifier(layer)) {
      return Optional.of(denseNode(layer, layer.hasBias(), Activation.IDENTITY));
    }
    return Loss.plain(layer)
        .flatMap(
            loss ->
                Loss.takesArguments(layer)
                    ? Optional.of(Activation.IDENTITY)
                    : Activation.of(layer.getActivationFn()))
        .map(activation -> denseNode(layer, layer.hasBias(), activation));
  }
}
