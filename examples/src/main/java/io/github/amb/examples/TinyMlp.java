package io.github.amb.examples;

import io.github.amb.core.plugin.Plugin;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.SequenceConfiguration;
import io.github.amb.models.network.InputRule;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.Norm;
import io.github.amb.models.network.Requirements;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A network: one hidden layer of 16 units, for examples of any shape, in DL4J's words. */
public final class TinyMlp implements Plugin<NetworkDefinition> {
  @Override
  public List<NetworkDefinition> entries() {
    return List.of(
        NetworkDefinition.of("tiny-mlp", new ImageShape(1, 1, 2), TinyMlp::layers)
            .with(new InputRule.AtLeast(1))
            .about(
                "one hidden layer of 16 units",
                "Tables of few numbers.",
                "an example of AMB, 2026"));
  }

  private static Architecture layers(Requirements needs) {
    List<Layer> layers = new ArrayList<>();
    layers.add(
        new DenseLayer.Builder()
            .name("hidden")
            .nOut(16)
            .activation(Activation.RELU)
            .weightInit(WeightInit.RELU)
            .build());
    if (needs.norm() != Norm.NONE) {
      layers.add(needs.norm().layer("norm"));
    }
    layers.add(
        new OutputLayer.Builder(LossFunction.MCXENT)
            .name("output")
            .nOut(needs.classes())
            .activation(Activation.SOFTMAX)
            .weightInit(WeightInit.XAVIER)
            .build());
    InputType input = InputType.feedForward(needs.input().size());
    // DL4J's own builder of networks would need ND4J's natives, which the archive does not have.
    return Architecture.of(SequenceConfiguration.of(layers, input), needs.input());
  }
}
