package io.github.amb.models.dl4j;

import io.github.amb.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * The initial parameters of a network: saved with it, or drawn as its configuration says.
 *
 * <p>Each layer has its own random stream. {@link LayerDraw} draws the layers of the listed
 * networks without ND4J, whose native libraries take longer to load than everything else. ND4J
 * draws layers and distributions that only a user's file can have.
 */
public final class InitialParameters {
  private InitialParameters() {}

  /**
   * Draws parameters, which depend on {@code seed} alone, or copies the saved ones.
   *
   * @param target receives the flat vector; modified
   */
  public static void draw(Architecture architecture, long seed, float[] target) {
    float[] saved = architecture.initial();
    if (saved != null) {
      System.arraycopy(saved, 0, target, 0, saved.length);
      return;
    }
    Streams streams = new Streams(seed);
    int number = 0;
    int offset = 0;
    for (Architecture.Stage stage : architecture.stages()) {
      if (stage.layer() != null) {
        offset += draw(architecture, stage, streams, number++, target, offset);
      }
    }
  }

  private static int draw(
      Architecture architecture,
      Architecture.Stage stage,
      Streams streams,
      int number,
      float[] target,
      int offset) {
    Layer layer = stage.layer().getLayer();
    int count = Math.toIntExact(layer.initializer().numParams(layer));
    if (count > 0) {
      UniformRandomProvider random = streams.stream("initial parameters", 0, number);
      if (!new LayerDraw(random, architecture.initialization(), target, offset).draw(layer)) {
        drawByNd4j(stage, random.nextLong(), count, target, offset);
      }
    }
    return count;
  }

  private static void drawByNd4j(
      Architecture.Stage stage, long seed, int count, float[] target, int offset) {
    Natives.require("initial parameters of layer " + stage.layer().getLayer().getLayerName());
    Dl4jSetup.ensure();
    Nd4j.getRandom().setSeed(seed);
    Layer layer = stage.layer().getLayer();
    try (INDArray values = Nd4j.create(DataType.FLOAT, 1, count)) {
      layer.initializer().init(stage.layer(), values.get(NDArrayIndex.point(0)), true);
      System.arraycopy(values.data().asFloat(), 0, target, offset, count);
    }
  }
}
