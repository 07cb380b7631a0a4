package io.github.amb.models.dl4j;

import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.BaseLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Computes what {@link AccumulatingDense} configures. */
final class AccumulatingDenseLayer extends BaseLayer<AccumulatingDense>
    implements AccumulatingLayer {
  private static final long serialVersionUID = 1L;

  private transient AffineMap affine;
  private transient INDArray output;
  private boolean add;

  AccumulatingDenseLayer(NeuralNetConfiguration conf, DataType type) {
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
  public INDArray activate(boolean training, LayerWorkspaceMgr workspaces) {
    assertInputSet(false);
    applyDropOutIfNecessary(training, workspaces);
    INDArray z =
        workspaces.createUninitialized(
            ArrayType.ACTIVATIONS, dataType, new long[] {input.size(0), affine.outputs()}, 'c');
    affine.forward(NativeArrays.rowMajor(input), z);
    output = layerConf().getActivationFn().getActivation(z, training);
    return output;
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    INDArray delta = NativeArrays.rowMajor(delta(epsilon));
    affine.gradient(NativeArrays.rowMajor(input), delta, add);
    Gradient gradient = new DefaultGradient();
    gradient.gradientForVariable().putAll(gradientViews);
    output = null;
    if (index == 0) {
      return new Pair<>(gradient, null);
    }
    INDArray inputGradient =
        workspaces.createUninitialized(
            ArrayType.ACTIVATION_GRAD, dataType, new long[] {input.size(0), affine.inputs()}, 'c');
    affine.inputGradient(delta, inputGradient);
    return new Pair<>(gradient, backpropDropOutIfPresent(inputGradient));
  }

  /** Gradient by the pre-activation, from the activation kept by the forward pass. */
  private INDArray delta(INDArray epsilon) {
    var activation = layerConf().getActivationFn();
    if (activation instanceof ActivationReLU) {
      // The output is positive exactly where the pre-activation is.
      return activation.backprop(output, epsilon).getFirst();
    }
    if (activation instanceof ActivationSigmoid) {
      return output.rsub(1).muli(output).muli(epsilon);
    }
    return epsilon;
  }

  @Override
  public boolean isPretrainLayer() {
    return false;
  }

  @Override
  public void clear() {
    super.clear();
    output = null;
  }
}
