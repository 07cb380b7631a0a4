package io.github.amb.models.network;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Draws initial parameters and computes a gradient, then prints which native libraries this process
 * has loaded; a program of its own for {@link StartTest}.
 */
final class StartProbe {
  private StartProbe() {}

  public static void main(String[] networks) throws IOException {
    for (String network : networks) {
      try (GradientSource source = Networks.open(network, DataSets.load("digits", null, 1))) {
        float[] parameters = new float[source.layout().size()];
        source.initialize(1, parameters);
        source.begin(parameters, 1);
        source.accumulate(new int[] {0, 1}, 0, 2);
        source.finish(parameters);
      }
    }
    List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
    maps.stream().map(line -> line.replaceFirst(".* ", "")).distinct().forEach(System.out::println);
  }
}
