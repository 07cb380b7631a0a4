package io.github.amb.models.onednn.reference;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Gelu;
import io.github.amb.models.dl4j.GroupNormalization;
import io.github.amb.models.dl4j.SelfAttention;
import io.github.amb.models.dl4j.SequenceEmbedding;
import io.github.amb.models.dl4j.SequenceMean;
import io.github.amb.models.dl4j.SequenceNormalization;
import io.github.amb.models.dl4j.SequencePatches;
import io.github.amb.models.dl4j.TiedOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.graph.ScaleVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DepthwiseConvolution2D;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.IActivation;

/** Makes the layers of DL4J's configuration of one stage; parameters are found by their names. */
final class ReferenceLayers {
  private final Layout layout;
  private final Set<String> vectors;
  private final int positions;

  ReferenceLayers(Architecture architecture, Layout layout) {
    this.layout = layout;
    positions =
        architecture.parts().stream()
            .map(Architecture.Part::output)
            .filter(InputType.InputTypeRecurrent.class::isInstance)
            .mapToInt(type -> (int) ((InputType.InputTypeRecurrent) type).getTimeSeriesLength())
            .findFirst()
            .orElse(1);
    vectors =
        architecture.parts().stream()
            .filter(part -> part.output() instanceof InputType.InputTypeFeedForward)
            .map(Architecture.Part::name)
            .collect(Collectors.toSet());
  }

  /** In the order in which they are applied. */
  List<Layer> read(Architecture.Stage stage) {
    if (stage.layer() == null) {
      return List.of(vertex(stage.vertex()));
    }
    var layer = stage.layer().getLayer();
    List<Layer> layers = new ArrayList<>();
    if (layer.getIDropout() instanceof Dropout dropout) {
      layers.add(new io.github.amb.models.onednn.reference.Dropout(dropout.getP()));
    }
    String name = layer.getLayerName() == null ? "layer" + stage.name() : layer.getLayerName();
    add(layers, layer, name, vectors.contains(stage.name()) || vectors.contains(name));
    return layers;
  }

  private static Layer vertex(GraphVertex vertex) {
    if (vertex instanceof ScaleVertex scale) {
      return Copies.scale(scale.getScaleFactor());
    }
    return vertex instanceof MergeVertex ? Copies.concatenation() : Copies.sum();
  }

  private Block block(String name) {
    return layout.blocks().stream()
        .filter(block -> block.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private int place(String name) {
    Block block = block(name);
    return block == null ? -1 : block.offset();
  }

  private void add(
      List<Layer> layers,
      org.deeplearning4j.nn.conf.layers.Layer layer,
      String name,
      boolean vector) {
    if (layer instanceof ConvolutionLayer convolution) {
      layers.add(convolution(convolution, name));
    } else if (layer instanceof SubsamplingLayer pooling) {
      layers.add(pooling(pooling));
    } else if (layer instanceof SequencePatches) {
      layers.add(new Patches(place(name + ".P")));
    } else if (layer instanceof SequenceMean) {
      layers.add(new RowMean(positions));
    } else if (layer instanceof GlobalPoolingLayer pooling) {
      layers.add(new WholeImage(pooling.getPoolingType() == PoolingType.MAX));
    } else if (layer instanceof ZeroPaddingLayer padding) {
      layers.add(Copies.padding(padding.getPadding()));
    } else if (layer instanceof BatchNormalization batch) {
      layers.add(normalization(batch, name));
    } else if (layer instanceof GroupNormalization group) {
      layers.add(normalization(group, name, vector));
    } else if (layer instanceof SequenceEmbedding embedding) {
      int width = (int) embedding.getNOut();
      layers.add(new Embedding(width, place(name + ".W"), place(name + ".P")));
    } else if (layer instanceof SequenceNormalization norm) {
      int beta = place(name + ".beta");
      layers.add(
          new GroupedNormalization(1, norm.epsilon(), place(name + ".gamma"), beta >= 0, null));
    } else if (layer instanceof SelfAttention attention) {
      layers.add(new Attention(positions, attention.heads(), attention.causal(), attention.keep()));
    } else if (layer instanceof TiedOutput tied) {
      layers.add(new Dense((int) tied.getNOut(), place(tied.embedding() + ".W"), -1));
    } else if (layer instanceof FeedForwardLayer dense && block(name + ".W") != null) {
      int out = (int) dense.getNOut();
      layers.add(new Dense(out, place(name + ".W"), place(name + ".b")));
    }
    IActivation activation = activation(layer);
    if (activation instanceof Gelu gelu) {
      layers.add(new GaussianUnit(gelu.tanh()));
    } else if (activation != null) {
      layers.add(new Function(named(activation)));
    }
  }

  /** Null for none; a softmax belongs to the loss. */
  private static IActivation activation(org.deeplearning4j.nn.conf.layers.Layer layer) {
    if (layer instanceof org.deeplearning4j.nn.conf.layers.ActivationLayer alone) {
      return alone.getActivationFn();
    }
    // DL4J ignores one that is set on a normalization.
    boolean none =
        layer instanceof BatchNormalization
            || layer instanceof GroupNormalization
            || layer instanceof org.deeplearning4j.nn.conf.layers.BaseOutputLayer
            || layer instanceof org.deeplearning4j.nn.conf.layers.DropoutLayer;
    return !none && layer instanceof BaseLayer base ? base.getActivationFn() : null;
  }

  private static Activation named(IActivation activation) {
    for (Activation known : Activation.values()) {
      if (known.getActivationFunction().getClass() == activation.getClass()) {
        return known;
      }
    }
    throw new IllegalArgumentException("expected an activation of DL4J's, found " + activation);
  }

  private Layer convolution(ConvolutionLayer layer, String name) {
    Window window =
        new Window(
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode());
    boolean depthwise = layer instanceof DepthwiseConvolution2D;
    int weights = place(name + ".W");
    return new Convolution(window, (int) layer.getNOut(), depthwise, weights, place(name + ".b"));
  }

  private static Layer pooling(SubsamplingLayer layer) {
    Window window =
        new Window(
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode());
    return layer.getPoolingType() == PoolingType.MAX
        ? new Maximum(window)
        : new Mean(window, layer.isAvgPoolIncludePadInDivisor());
  }

  private Layer normalization(BatchNormalization layer, String name) {
    var running =
        new GroupedNormalization.Running(
            place(name + ".mean"), place(name + ".log10stdev"), layer.getDecay());
    return new GroupedNormalization(0, layer.getEps(), place(name + ".gamma"), true, running);
  }

  private Layer normalization(GroupNormalization layer, String name, boolean vector) {
    int groups = vector ? 1 : GroupNormalization.groups((int) layer.getNOut());
    return new GroupedNormalization(
        groups, GroupNormalization.EPSILON, place(name + ".gamma"), true, null);
  }
}
