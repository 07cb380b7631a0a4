package io.github.amb.models.dl4j;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.BaseLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * Computes {@link GroupNormalization}: {@code y = γ x̂ + β} with {@code x̂ = (x − μ) / √(σ² + ε)},
 * where μ and σ² are the mean and variance of the example's group.
 */
final class GroupNormalizationLayer extends BaseLayer<GroupNormalization> {
  GroupNormalizationLayer(NeuralNetConfiguration conf, DataType type) {
    super(conf, type);
  }

  /**
   * The input, normalized.
   *
   * @param values x̂, a row for each group of each example
   * @param scales 1 / √(σ² + ε) of each
   */
  private record Normalized(INDArray values, INDArray scales) {}

  private Normalized normalized() {
    int groups = input.rank() == 4 ? GroupNormalization.groups((int) layerConf().getNOut()) : 1;
    INDArray values = input.dup('c').reshape('c', input.size(0) * groups, -1);
    values.subiColumnVector(values.mean(true, 1));
    INDArray variances = values.mul(values).mean(true, 1);
    INDArray scales = Transforms.sqrt(variances.addi(GroupNormalization.EPSILON)).rdivi(1);
    return new Normalized(values.muliColumnVector(scales), scales);
  }

  /** Row-major values by example, channel and pixel. */
  private INDArray byChannel(INDArray values) {
    return values.reshape('c', input.size(0), layerConf().getNOut(), -1);
  }

  /** A parameter as the factor or summand of values by channel. */
  private INDArray parameter(String key) {
    return getParam(key).reshape(1, -1, 1);
  }

  @Override
  public INDArray activate(boolean training, LayerWorkspaceMgr workspaces) {
    assertInputSet(false);
    applyDropOutIfNecessary(training, workspaces);
    INDArray result = byChannel(normalized().values).muli(parameter(ScaleAndShift.GAMMA));
    result.addi(parameter(ScaleAndShift.BETA));
    return workspaces.leverageTo(ArrayType.ACTIVATIONS, result.reshape('c', input.shape()));
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    Normalized x = normalized();
    INDArray upstream = byChannel(epsilon.dup('c'));
    gradientViews.get(ScaleAndShift.GAMMA).assign(upstream.mul(byChannel(x.values)).sum(0, 2));
    gradientViews.get(ScaleAndShift.BETA).assign(upstream.sum(0, 2));
    Gradient gradient = new DefaultGradient();
    gradient.gradientForVariable().putAll(gradientViews);

    INDArray slopes = upstream.muli(parameter(ScaleAndShift.GAMMA)).reshape(x.values.shape());
    INDArray products = slopes.mul(x.values).mean(true, 1);
    slopes.subiColumnVector(slopes.mean(true, 1));
    slopes.subi(x.values.muliColumnVector(products)).muliColumnVector(x.scales);
    INDArray result = slopes.reshape('c', input.shape());
    return new Pair<>(
        gradient,
        backpropDropOutIfPresent(workspaces.leverageTo(ArrayType.ACTIVATION_GRAD, result)));
  }

  @Override
  public boolean isPretrainLayer() {
    return false;
  }
}
