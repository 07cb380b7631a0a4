package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.update.NonFiniteGradientException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a codec promises: the error stays within its bound, the mean of an unbiased codec is the
 * vector, other blocks come as they are, malformed bytes are rejected or decode to finite numbers,
 * and what it remembers is in checkpoints. The test of a codec extends this class and names the
 * codec.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CodecContract {
  private static final Streams STREAMS = new Streams(42 + Long.getLong("amb.test.seed", 0));
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("conv.W", Block.Kind.WEIGHT, 0, 8, 3, 5, 5),
              new Block("conv.b", Block.Kind.BIAS, 600, 8),
              new Block("norm.mean", Block.Kind.RUNNING_STATISTIC, 608, 8),
              new Block("fc.W", Block.Kind.WEIGHT, 616, 37, 29),
              new Block("fc.b", Block.Kind.BIAS, 1689, 37)));

  private static final long STEP = 6;
  private static final int SHAPES = 40;
  private static final int TRIES = 500;

  /** Places in a message's header. */
  private static final int BODY_AT = 8;

  private static final int LENGTH_AT = 12;
  private static final int HEADER = 16;

  private final UniformRandomProvider random = STREAMS.stream("contract", 0, 0);

  /** Codecs with their arguments and additions, as a user types them, such as {@code qsgd:4}. */
  protected abstract List<String> codecs();

  /** Whether its error bound holds on average only. */
  protected boolean isBoundedOnAverage(String codec) {
    return Codecs.parse(codec).codec().isUnbiased();
  }

  /** Whether zeros come back as zeros. */
  protected boolean keepsZeros(String codec) {
    return true;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void anyShapeComesBackWithinTheBound(String codec) {
    for (int i = 0; i < SHAPES; i++) {
      int[] shape = new int[1 + random.nextInt(4)];
      Arrays.setAll(shape, side -> random.nextInt(14));
      assertBounded(ofAnyBlock(codec), shape);
    }
    assertBounded(codec, 61, 1021);
  }

  private static String ofAnyBlock(String codec) {
    return codec + (codec.contains("+min") ? "" : "+min=1");
  }

  private void assertBounded(String text, int... shape) {
    Layout layout = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, shape)));
    float[] values = gradient(layout.size());
    float[] before = values.clone();
    float[] decoded = pass(layout, text, values);
    assertArrayEquals(before, values, "encoding must not modify the values");
    Codec codec = Codecs.parse(text).codec();
    double bound = codec.errorBound(shape);
    if (bound <= 1 && !isBoundedOnAverage(text)) {
      // Each entry is rounded a few times on its way, and those of a scale or a product as well.
      double root = Math.sqrt(bound) + 8 * 0x1p-24;
      double most = root * root * squaredDistance(values, new float[values.length]);
      double error = squaredDistance(values, decoded);
      assertTrue(error <= most, () -> text + Arrays.toString(shape) + ": " + error + " > " + most);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void anUnbiasedCodecsMeanIsTheVector(String text) {
    Codec codec = Codecs.parse(text).codec();
    if (codec.isUnbiased()) {
      float[] values = gradient(Shapes.length(Draws.SHAPE));
      Draws draws = new Draws(ofAnyBlock(text), values, STREAMS);
      assertTrue(draws.worst() <= 1, () -> text + ": off " + draws.worst() + " times chance");
      double bound =
          codec.errorBound(Draws.SHAPE) * squaredDistance(values, new float[values.length]);
      double max = bound + draws.errorDeviation();
      assertTrue(draws.error() <= max, () -> text + ": " + draws.error() + " > " + max);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void blocksThatAreNotEncodedComeAsTheyAre(String codec) {
    float[] values = gradient(LAYOUT.size());
    float[] decoded = pass(LAYOUT, codec, values);
    BlockPolicy policy = Codecs.parse(codec).policy();
    for (Block block : LAYOUT.blocks()) {
      if (!policy.encodes(block)) {
        assertArrayEquals(entries(values, block), entries(decoded, block), block::name);
      }
    }
  }

  private static float[] entries(float[] values, Block block) {
    return Arrays.copyOfRange(values, block.offset(), block.end());
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void zerosAndExtremesComeBack(String codec) {
    Layout layout = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, 30, 30)));
    float[] values = new float[900];
    if (keepsZeros(codec)) {
      assertArrayEquals(new float[900], pass(layout, codec, values));
    }
    Arrays.fill(values, Float.MIN_VALUE);
    values[5] = -1e37f;
    values[17] = 1e30f;
    assertFinite(pass(layout, codec, values));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void truncatedMessagesAndOtherHeadersAreRejected(String codec) {
    byte[] message = message(codec);
    VectorDecoder decoder = decoder(LAYOUT, codec);
    for (int length = 0; length < message.length; length++) {
      assertMalformed(decoder, Arrays.copyOf(message, length));
    }
    for (int bit = 0; bit < 8 * BODY_AT; bit++) {
      byte[] flipped = message.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertMalformed(decoder, flipped);
    }
    decoder.decode(message, message.length, STEP, new float[LAYOUT.size()]);
  }

  private static void assertMalformed(VectorDecoder decoder, byte[] bytes) {
    assertThrows(
        MalformedEncodingException.class,
        () -> decoder.decode(bytes, bytes.length, STEP, new float[LAYOUT.size()]));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void forgedMessagesAreRejectedOrFinite(String codec) {
    byte[] message = message(codec);
    VectorDecoder decoder = decoder(LAYOUT, codec);
    int rejected = 0;
    for (int i = 0; i < TRIES; i++) {
      rejected += rejects(decoder, codec, forged(message)) ? 1 : 0;
    }
    assertTrue(rejected > 0, "no forgery was rejected");
    Arrays.fill(message, HEADER, message.length, (byte) 0xFF);
    rejects(decoder, codec, message);
  }

  private byte[] forged(byte[] message) {
    boolean cut = random.nextInt(4) == 0;
    int length = cut ? HEADER + 1 + random.nextInt(message.length - HEADER) : message.length;
    byte[] forged = Arrays.copyOf(message, length);
    for (int i = random.nextInt(8); i >= 0; i--) {
      int at = HEADER + random.nextInt(length - HEADER);
      forged[at] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
    }
    return forged;
  }

  /** Decodes bytes with right lengths; expects finite numbers if they are accepted. */
  private boolean rejects(VectorDecoder decoder, String codec, byte[] bytes) {
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!codec.matches(".*[+](zstd|lz4)")) {
      header.putInt(BODY_AT, bytes.length - HEADER);
    } else if (random.nextInt(8) == 0) {
      header.putInt(BODY_AT, random.nextInt());
    }
    header.putInt(LENGTH_AT, bytes.length);
    float[] values = new float[LAYOUT.size()];
    try {
      decoder.decode(bytes, bytes.length, STEP, values);
    } catch (MalformedEncodingException e) {
      return true;
    }
    assertFinite(values);
    return false;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void nonFiniteGradientsAreRejectedByRankAndBlock(String codec) {
    for (float bad : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      float[] gradient = new float[LAYOUT.size()];
      gradient[616 + 30] = bad;
      NonFiniteGradientException rejected =
          assertThrows(
              NonFiniteGradientException.class, () -> encoder(LAYOUT, codec).encode(gradient, 1));
      assertEquals(1, rejected.rank());
      assertEquals("fc.W", rejected.block());
      assertTrue(rejected.getMessage().contains("entry 30"), rejected::getMessage);
    }
  }

  /** From the smallest to the largest float; what overflows is the encoder's to reject. */
  @ParameterizedTest
  @MethodSource("codecs")
  void anyMagnitudeComesBackFiniteOrIsRejectedByTheEncoder(String codec) {
    VectorDecoder decoder = decoder(LAYOUT, ofAnyBlock(codec));
    for (int i = 0; i < 2 * SHAPES; i++) {
      VectorEncoder encoder = encoder(LAYOUT, ofAnyBlock(codec));
      int largest = i < 4 ? 127 - i : random.nextInt(-149, 128);
      boolean rejected = false;
      for (int step = 1; step <= 3; step++) {
        rejected |= !comesBack(encoder, decoder, magnitudes(largest), step);
      }
      assertTrue(!rejected || Math.abs(largest) > 100, () -> "rejected 2^" + largest);
    }
  }

  private static boolean comesBack(
      VectorEncoder encoder, VectorDecoder decoder, float[] values, int step) {
    StateMap before = new StateMap();
    before.save("uplink", encoder);
    int length;
    try {
      length = encoder.encode(values, step);
    } catch (NonFiniteGradientException e) {
      StateMap after = new StateMap();
      after.save("uplink", encoder);
      assertTrue(after.hasAll(before), "a rejected vector must not change the encoder");
      return false;
    }
    float[] decoded = new float[values.length];
    decoder.decode(encoder.message(), length, step, decoded);
    assertFinite(decoded);
    return true;
  }

  /** Zeros and entries below 2^({@code largest} + 1), many of them close to it. */
  private float[] magnitudes(int largest) {
    float[] values = new float[LAYOUT.size()];
    boolean alike = random.nextBoolean();
    for (int i = 0; i < values.length; i++) {
      int exponent = alike ? largest : largest - random.nextInt(60);
      float significand = random.nextInt(9) == 0 ? 0x1.fffffep0f : 1 + random.nextFloat();
      float value = random.nextInt(9) == 0 ? 0 : Math.scalb(significand, exponent);
      values[i] = random.nextBoolean() ? value : -value;
    }
    return values;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void itsStateIsInCheckpoints(String codec, @TempDir Path directory) throws IOException {
    String scheme = "fmb --codec " + codec + (codec.contains("+min") ? "" : "+min=1");
    String saving = "--checkpoint-every 1 --checkpoint-keep 9 --last-step ";
    VirtualRun whole = VirtualRun.train(directory.resolve("whole"), scheme, "sgd", saving + 7);
    VirtualRun part = VirtualRun.train(directory.resolve("part"), scheme, "sgd", saving + 6);

    VirtualRun resumed = part.resumed(directory.resolve("resumed"), 4, 7);

    assertEquals(whole.parameters(), resumed.parameters());
  }

  /** A message may be discarded after it has been encoded. */
  @ParameterizedTest
  @MethodSource("codecs")
  void aMessageCanBeEncodedAgainFromAKeptState(String codec) {
    VectorEncoder encoder = encoder(LAYOUT, codec);
    StateMap kept = new StateMap();
    for (int step = 1; step <= 4; step++) {
      kept.keep("uplink", encoder);
      float[] values = gradient(LAYOUT.size());
      byte[] message = message(encoder, values, step);
      VectorEncoder again = encoder(LAYOUT, codec);
      kept.restore("uplink", again);
      assertArrayEquals(message, message(again, values, step), "step " + step);
    }
  }

  private byte[] message(String codec) {
    return message(encoder(LAYOUT, codec), gradient(LAYOUT.size()), STEP);
  }

  private static byte[] message(VectorEncoder encoder, float[] values, long step) {
    int length = encoder.encode(values, step);
    return Arrays.copyOf(encoder.message(), length);
  }

  private static float[] pass(Layout layout, String codec, float[] values) {
    VectorEncoder encoder = encoder(layout, codec);
    int length = encoder.encode(values, STEP);
    float[] decoded = new float[values.length];
    Arrays.fill(decoded, 7); // All entries are to be overwritten.
    decoder(layout, codec).decode(encoder.message(), length, STEP, decoded);
    return decoded;
  }

  private static VectorEncoder encoder(Layout layout, String codec) {
    return new VectorEncoder(layout, Codecs.parse(codec), STREAMS, "uplink", 1);
  }

  private static VectorDecoder decoder(Layout layout, String codec) {
    return new VectorDecoder(layout, Codecs.parse(codec), STREAMS, "uplink");
  }

  /** Entries of a Laplace distribution, as gradients have. */
  private float[] gradient(int length) {
    var exponential = ZigguratSampler.Exponential.of(random);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) (exponential.sample() * (random.nextBoolean() ? 1 : -1));
    }
    return values;
  }

  private static double squaredDistance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += Math.pow((double) a[i] - b[i], 2);
    }
    return sum;
  }

  private static void assertFinite(float[] values) {
    for (float value : values) {
      assertTrue(Float.isFinite(value));
    }
  }
}
