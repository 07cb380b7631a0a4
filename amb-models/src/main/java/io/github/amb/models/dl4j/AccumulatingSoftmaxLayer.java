package io.github.amb.models.dl4j;

import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.OutputLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Computes what {@link AccumulatingSoftmax} configures. */
final class AccumulatingSoftmaxLayer extends OutputLayer implements AccumulatingLayer {
  private static final long serialVersionUID = 1L;

  private transient AffineMap affine;
  private transient float[] logits = {};
  private transient float[] targets = {};
  private boolean add;
  private boolean lossKnown;
  private double loss;

  AccumulatingSoftmaxLayer(NeuralNetConfiguration conf, DataType type) {
    super(conf, type);
  }

  @Override
  public void accumulate(boolean add) {
    this.add = add;
  }

  @Override
  public void setParamTable(Map<String, INDArray> parameters) {
    super.setParamTable(parameters);
    affine = new AffineMap(parameters);
  }

  @Override
  public void setBackpropGradientsViewArray(INDArray gradients) {
    super.setBackpropGradientsViewArray(gradients);
    affine.gradients(gradientViews);
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    applyDropOutIfNecessary(true, workspaces);
    INDArray x = NativeArrays.rowMajor(input);
    INDArray delta =
        workspaces.createUninitialized(
            ArrayType.BP_WORKING_MEM, dataType, new long[] {x.size(0), affine.outputs()}, 'c');
    affine.forward(x, delta);
    loss = lossAndGradient(delta);
    lossKnown = true;
    affine.gradient(x, delta, add);
    Gradient gradient = new DefaultGradient();
    gradient.gradientForVariable().putAll(gradientViews);
    return new Pair<>(gradient, index == 0 ? null : inputGradient(delta, workspaces));
  }

  /** Turns logits into the gradient by them; returns the loss sum. */
  private double lossAndGradient(INDArray logitsThenDelta) {
    int size = Math.toIntExact(logitsThenDelta.length());
    if (logits.length < size) {
      logits = new float[size];
      targets = new float[size];
    }
    var pointer = NativeArrays.pointer(logitsThenDelta);
    pointer.get(logits, 0, size);
    NativeArrays.pointer(NativeArrays.rowMajor(labels)).get(targets, 0, size);
    int rows = Math.toIntExact(logitsThenDelta.size(0));
    double sum = SoftmaxCrossEntropy.lossAndGradient(logits, targets, rows, affine.outputs());
    pointer.put(logits, 0, size);
    return sum;
  }

  private INDArray inputGradient(INDArray delta, LayerWorkspaceMgr workspaces) {
    INDArray result =
        workspaces.createUninitialized(
            ArrayType.ACTIVATION_GRAD, dataType, new long[] {delta.size(0), affine.inputs()}, 'c');
    affine.inputGradient(delta, result);
    return backpropDropOutIfPresent(result);
  }

  /** The loss found by the backward pass just done, if there was one. */
  @Override
  public double computeScore(
      double regularization, boolean training, LayerWorkspaceMgr workspaces) {
    if (!lossKnown) {
      return super.computeScore(regularization, training, workspaces);
    }
    lossKnown = false;
    score = (conf().isMiniBatch() ? loss / getInputMiniBatchSize() : loss) + regularization;
    return score;
  }
}
