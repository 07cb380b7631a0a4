package io.github.amb.core.codec;

import io.github.amb.core.Seeds;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Vectors and layouts for tests of codecs. */
public final class CodecSamples {
  public static final Streams STREAMS = new Streams(Seeds.of(42));

  private CodecSamples() {}

  /** A layout of one weight per shape. */
  public static Layout layout(int[]... shapes) {
    List<Block> blocks = new ArrayList<>();
    int offset = 0;
    for (int[] shape : shapes) {
      Block block = new Block("b" + blocks.size(), Block.Kind.WEIGHT, offset, shape);
      blocks.add(block);
      offset = block.end();
    }
    return new Layout(blocks);
  }

  /** Weights, a bias and a running statistic. */
  public static Layout mixedLayout() {
    return new Layout(
        List.of(
            new Block("conv.W", Block.Kind.WEIGHT, 0, 8, 3, 5, 5),
            new Block("conv.b", Block.Kind.BIAS, 600, 8),
            new Block("norm.mean", Block.Kind.RUNNING_STATISTIC, 608, 8),
            new Block("fc.W", Block.Kind.WEIGHT, 616, 37, 29),
            new Block("fc.b", Block.Kind.BIAS, 1689, 37)));
  }

  /** Entries of a Laplace distribution, as gradients have, all different. */
  public static float[] laplace(int length, long seed) {
    UniformRandomProvider random = STREAMS.stream("test", 0, seed);
    var exponential = ZigguratSampler.Exponential.of(random);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) (exponential.sample() * (random.nextBoolean() ? 1 : -1));
    }
    return values;
  }

  /** What a receiver decodes of what {@code encoder} sends. */
  public static float[] pass(
      VectorEncoder encoder, VectorDecoder decoder, float[] values, long step) {
    int length = encoder.encode(values, step);
    float[] decoded = new float[values.length];
    decoder.decode(encoder.message(), length, step, decoded);
    return decoded;
  }

  public static VectorEncoder encoder(Layout layout, String coding) {
    return new VectorEncoder(layout, Codecs.parse(coding), STREAMS, "uplink", 1);
  }

  public static VectorDecoder decoder(Layout layout, String coding) {
    return new VectorDecoder(layout, Codecs.parse(coding), STREAMS, "uplink");
  }

  public static double squaredDistance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += Math.pow((double) a[i] - b[i], 2);
    }
    return sum;
  }

  public static double squaredNorm(float[] a) {
    return squaredDistance(a, new float[a.length]);
  }
}
