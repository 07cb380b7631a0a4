package io.github.amb.models.dl4j;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.factory.Nd4j;

/** Writes networks in the format of DL4J's {@code ModelSerializer}. */
public final class ModelFile {
  private static final String OWN = "io.github.amb.";

  private ModelFile() {}

  /**
   * Writes a network with its parameters.
   *
   * @param parameters the flat vector; not modified
   * @param file a new file
   * @throws UsageException if a layer is not one of DL4J's
   */
  public static void write(Architecture architecture, float[] parameters, Path file)
      throws IOException {
    architecture.parts().forEach(part -> requireKnown(part.name(), part.layer()));
    Natives.require("a file for DL4J");
    Dl4jSetup.ensure();
    Model network =
        architecture instanceof LayerSequence sequence
            ? new MultiLayerNetwork(sequence.configuration().clone())
            : new ComputationGraph(((LayerGraph) architecture).configuration().clone());
    network.init();
    try {
      network.setParams(Nd4j.createFromArray(parameters).reshape(1, parameters.length));
      ModelSerializer.writeModel(network, file.toFile(), false);
    } finally {
      network.close();
    }
  }

  /** Rejects layers of this program, which readers of the file do not have. */
  private static void requireKnown(String name, Layer layer) {
    if (layer != null && layer.getClass().getName().startsWith(OWN)) {
      throw new UsageException(
          "layer %s is %s, which DL4J does not have; export the run as npz or safetensors",
          name, layer.getClass().getSimpleName());
    }
  }
}
