package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.random.Streams;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Under error feedback what has not been sent stays bounded, whatever the codec. */
class ResidualTest {
  private static final int ROWS = 12;
  private static final int COLUMNS = 20;
  private static final int MESSAGES = 300;

  /**
   * With gradients of norm at most G and a contraction of bound q &lt; 1, the root mean square of
   * the residual is at most G √q/(1 − √q) (Karimireddy et al., ICML 2019, Lemma 3). A codec whose
   * residual grows by a factor with every message exceeds any multiple of that.
   */
  private static final double SLACK = 4;

  @Provide
  Arbitrary<String> codings() {
    return Arbitraries.of(
        List.of(
            "qsgd:2",
            "qsgd:4",
            "qsgd:2,bucket=32",
            "terngrad",
            "terngrad:bucket=16",
            "atomo-svd:1",
            "atomo-svd:3",
            "atomo-entry:0.05",
            "randomk:0.1",
            "topk:0.05",
            "topk:0.05,bits=2",
            "bf16",
            "int8"));
  }

  @Property(tries = 60)
  void residualsStayBounded(@ForAll("codings") String codec, @ForAll long seed) {
    Codec fed = Codecs.parse(codec + "+ef").codec();
    double share = Math.sqrt(fed.errorBound(ROWS, COLUMNS));
    assertTrue(share < 1, () -> "bound " + share * share);

    double unsent = unsent(fed, new Streams(seed));

    double bound = SLACK * share / (1 - share);
    assertTrue(unsent <= bound, () -> unsent + " of a gradient's norm, expected up to " + bound);
  }

  /** ‖Σ gradients − Σ messages‖ over the largest norm of a gradient. */
  private static double unsent(Codec codec, Streams streams) {
    UniformRandomProvider random = streams.stream("gradients", 0, 0);
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    CodecRandom draws = new CodecRandom(streams, "residual test", 1);
    BlockCodec sender = codec.open(ROWS, COLUMNS);
    BlockCodec receiver = codec.receiver().open(ROWS, COLUMNS);
    float[] gradient = new float[ROWS * COLUMNS];
    float[] received = new float[gradient.length];
    double[] rest = new double[gradient.length];
    double largest = 0;
    ByteSink message = new ByteSink();
    ByteSource source = new ByteSource();
    for (int step = 0; step < MESSAGES; step++) {
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = (float) normal.sample();
      }
      draws.message(step);
      draws.block("block");
      message.clear();
      sender.encode(gradient, 0, draws, message);
      source.wrap(message.bytes(), 0, message.length());
      receiver.decode(source, draws, received, 0);
      for (int i = 0; i < rest.length; i++) {
        rest[i] += gradient[i] - received[i];
      }
      largest = Math.max(largest, Math.sqrt(CodecSamples.squaredNorm(gradient)));
    }
    double sum = 0;
    for (double entry : rest) {
      sum += entry * entry;
    }
    return Math.sqrt(sum) / largest;
  }
}
