package io.github.amb.cuda;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import java.util.stream.IntStream;

/**
 * Prints how far a gradient of the first card is from oneDNN's, relative in the Euclidean norm; a
 * program of its own for {@link CudaTest}.
 */
final class CudaProbe {
  private static final int EXAMPLES = 70;

  private CudaProbe() {}

  public static void main(String[] arguments) {
    DataSet data = DataSets.load("digits", null, 1);
    NetworkDefinition network = Networks.named(arguments[0]);
    try (GradientSource gpu = Networks.openOnGpu(network, NetworkOptions.USUAL, data);
        GradientSource processor = Networks.open(arguments[0], data)) {
      float[] parameters = new float[processor.layout().size()];
      processor.initialize(3, parameters);
      System.out.println(distance(gradient(gpu, parameters), gradient(processor, parameters)));
    }
  }

  private static float[] gradient(GradientSource source, float[] parameters) {
    int[] examples = IntStream.range(0, EXAMPLES).toArray();
    source.begin(parameters, 1);
    source.accumulate(examples, 0, EXAMPLES / 2);
    source.accumulate(examples, EXAMPLES / 2, EXAMPLES);
    float[] sum = new float[parameters.length];
    source.finish(sum);
    return sum;
  }

  private static double distance(float[] found, float[] expected) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < found.length; i++) {
      difference += Math.pow(found[i] - expected[i], 2);
      size += Math.pow(expected[i], 2);
    }
    return Math.sqrt(difference / size);
  }
}
