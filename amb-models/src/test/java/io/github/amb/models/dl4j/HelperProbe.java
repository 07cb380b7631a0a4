package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.layers.convolution.ConvolutionLayer;

/** Prints the helper of a convolution layer; a program of its own for {@link HelperTest}. */
final class HelperProbe {
  private HelperProbe() {}

  public static void main(String[] arguments) {
    try (TrainableNetwork network = TrainableNetwork.of(Samples.mixed(1))) {
      List<Layer> layers = network.layers();
      ConvolutionLayer convolution = (ConvolutionLayer) layers.get(0);
      System.out.println("helper=" + convolution.getHelper());
      System.out.println("natives=" + Natives.describe());
    }
  }
}
