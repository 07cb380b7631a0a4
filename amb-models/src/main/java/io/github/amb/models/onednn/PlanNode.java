package io.github.amb.models.onednn;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** How oneDNN computes a kind of {@link Node}. */
interface PlanNode {
  /**
   * Adds the operations of the forward pass.
   *
   * @return the result, which can add the operations of the backward pass
   */
  Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs);

  /** What computes a node. */
  static PlanNode of(Node node) {
    if (node instanceof Node.Attention known) {
      return new AttentionNode(known);
    } else if (node instanceof Node.Concatenation known) {
      return new ConcatenationNode(known);
    } else if (node instanceof Node.Convolution known) {
      return new ConvolutionNode(known);
    } else if (node instanceof Node.Dense known) {
      return new DenseNode(known);
    } else if (node instanceof Node.Dropout known) {
      return new DropoutNode(known);
    } else if (node instanceof Node.Elementwise known) {
      return new Elementwise(known);
    } else if (node instanceof Node.Embedding known) {
      return new EmbeddingNode(known);
    } else if (node instanceof Node.GroupNormalization known) {
      return new GroupNormalizationNode(known);
    } else if (node instanceof Node.LayerNormalization known) {
      return new LayerNormalizationNode(known);
    } else if (node instanceof Node.Normalization known) {
      return new NormalizationNode(known);
    } else if (node instanceof Node.Padding known) {
      return new PaddingNode(known);
    } else if (node instanceof Node.Patches known) {
      return new PatchesNode(known);
    } else if (node instanceof Node.Pooling known) {
      return new PoolingNode(known);
    } else if (node instanceof Node.Scale known) {
      return new ScaleNode(known);
    } else if (node instanceof Node.SequenceMean known) {
      return new SequenceMeanNode(known);
    } else if (node instanceof Node.Sum known) {
      return new SumNode(known);
    }
    throw new IllegalArgumentException("expected a node that oneDNN computes, found " + node);
  }
}
