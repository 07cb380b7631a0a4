package io.github.amb.models.dl4j;

import io.github.amb.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * The parameters that a network begins with, drawn as its configuration says unless they were saved
 * with it.
 *
 * <p>Each layer has a random stream of its own. Layers of the networks that are listed are drawn by
 * {@link LayerDraw}, without ND4J, whose natives take longer to load than all else; layers and
 * distributions that only a user's file can have, by ND4J.
 */
public final class InitialParameters {
  private InitialParameters() {}

  /**
   * Draws parameters, a function of {@code seed} alone, or copies the saved ones.
   *
   * @param target receives them, as many as the network has; modified
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
