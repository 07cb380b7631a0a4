package io.github.amb.core.codec.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Messages added without decoding them stand for the sum of what they stand for. */
class VectorAdderTest {
  static final List<String> CODINGS =
      List.of(
          "none",
          "randomk:0.1+min=1",
          "randomk:0.1+ef+min=1",
          "signsgd",
          "lss+min=1",
          "lss:0.2,clusters=4",
          "lss:0.05,clusters=1+ef");

  private static final long STEP = 5;
  private static final double UNIT_ROUNDOFF = 0x1p-24;

  @Provide
  Arbitrary<String> codings() {
    return Arbitraries.of(CODINGS);
  }

  /** Some too small for lss, which sends them as they are. */
  @Provide
  Arbitrary<int[]> shapes() {
    return Arbitraries.integers().between(0, 60).array(int[].class).ofMinSize(1).ofMaxSize(2);
  }

  /** What workers send, of vectors of different scales, as slow and fast workers have. */
  private static final class Workers {
    final Layout layout;
    final String coding;
    final float[][] vectors;
    final byte[][] messages;

    Workers(String coding, Layout layout, int count, long seed) {
      this.layout = layout;
      this.coding = coding;
      vectors = new float[count][];
      messages = new byte[count][];
      for (int worker = 0; worker < count; worker++) {
        float[] values = CodecSamples.laplace(layout.size(), seed + worker);
        for (int i = 0; i < values.length; i++) {
          values[i] *= (float) Math.pow(3, worker);
        }
        vectors[worker] = values;
        VectorEncoder encoder =
            new VectorEncoder(
                layout, Codecs.parse(coding), CodecSamples.STREAMS, "uplink", worker + 1);
        int length = encoder.encode(values, STEP);
        messages[worker] = Arrays.copyOf(encoder.message(), length);
      }
    }

    byte[] add(byte[] a, byte[] b) {
      VectorAdder adder = new VectorAdder(layout, Codecs.parse(coding));
      int length = adder.add(a, a.length, b, b.length, STEP);
      return Arrays.copyOf(adder.message(), length);
    }

    byte[] sum() {
      return Arrays.stream(messages).reduce(this::add).orElseThrow();
    }

    float[] decode(byte[] message) {
      float[] decoded = new float[layout.size()];
      CodecSamples.decoder(layout, coding).decode(message, message.length, STEP, decoded);
      return decoded;
    }

    /** What a master that decodes every message comes to. */
    float[] sumOfDecoded() {
      float[] sum = new float[layout.size()];
      for (byte[] message : messages) {
        float[] decoded = decode(message);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += decoded[i];
        }
      }
      return sum;
    }

    float[] sumOfVectors() {
      float[] sum = new float[layout.size()];
      for (float[] vector : vectors) {
        for (int i = 0; i < sum.length; i++) {
          sum[i] += vector[i];
        }
      }
      return sum;
    }

    double squaredNorms() {
      return Arrays.stream(vectors).mapToDouble(CodecSamples::squaredNorm).sum();
    }
  }

  @Test
  void onlyAddableCodecsCanBeAdded() {
    Layout layout = CodecSamples.layout(new int[] {40, 40});
    for (String name : Codecs.all().names()) {
      Coding coding = Codecs.parse(name);
      if (coding.codec().isAddable()) {
        new VectorAdder(layout, coding);
      } else {
        assertThrows(UsageException.class, () -> new VectorAdder(layout, coding), name);
      }
      assertThrows(
          UsageException.class, () -> new VectorAdder(layout, Codecs.parse(name + "+zstd")), name);
    }
  }

  @Property(tries = 300)
  void orderLeavesNoTrace(
      @ForAll("codings") String coding, @ForAll("shapes") int[] shape, @ForAll long seed) {
    Workers workers = new Workers(coding, CodecSamples.layout(shape), 3, seed);
    byte[] a = workers.messages[0];
    byte[] b = workers.messages[1];
    byte[] c = workers.messages[2];
    assertArrayEquals(workers.add(a, b), workers.add(b, a), coding);
    byte[] left = workers.add(workers.add(a, b), c);
    byte[] right = workers.add(a, workers.add(b, c));
    boolean floats = coding.startsWith("none") || coding.startsWith("randomk");
    if (floats || workers.layout.size() <= 1000 && coding.startsWith("lss")) {
      assertEqualButForRounding(workers, workers.decode(left), workers.decode(right));
    } else {
      assertArrayEquals(left, right, coding);
    }
  }

  /** Either sum of three rounds twice, and is off by at most two units of the summands' sum. */
  private static void assertEqualButForRounding(Workers workers, float[] left, float[] right) {
    double[] summands = new double[left.length];
    for (byte[] message : workers.messages) {
      float[] decoded = workers.decode(message);
      Arrays.setAll(summands, i -> summands[i] + Math.abs(decoded[i]));
    }
    for (int i = 0; i < left.length; i++) {
      assertEquals(left[i], right[i], 4 * UNIT_ROUNDOFF * summands[i], workers.coding);
    }
  }

  @Property(tries = 200)
  void sumsDecodeToTheSumOfWhatWasSent(
      @ForAll("codings") String coding,
      @ForAll("shapes") int[] shape,
      @ForAll @IntRange(min = 2, max = 6) int count,
      @ForAll long seed) {
    Workers workers = new Workers(coding, CodecSamples.layout(shape), count, seed);
    float[] found = workers.decode(workers.sum());
    if (!coding.startsWith("lss")) {
      assertArrayEquals(workers.sumOfDecoded(), found, coding);
      return;
    }
    double bound = Codecs.parse(coding).codec().errorBound(shape);
    double error = CodecSamples.squaredDistance(workers.sumOfVectors(), found);
    // Means are rounded to floats and added: count roundings, of at most the vectors' values.
    double rounding = (count + 1) * UNIT_ROUNDOFF * Math.sqrt(count * workers.squaredNorms());
    double most = Math.pow(Math.sqrt(count * bound * workers.squaredNorms()) + rounding, 2);
    assertTrue(error <= most, () -> coding + Arrays.toString(shape) + ": " + error + " > " + most);
  }

  /** Octaves in halves: clusters [1, 1.5), [1.5, 2), [2, 3) … */
  @Test
  void clustersAreAddedBucketByBucket() {
    Layout layout = CodecSamples.layout(new int[] {1002});
    Workers workers = new Workers("lss:0.0001", layout, 2, 0);
    Arrays.fill(workers.vectors[0], 1.0f);
    Arrays.fill(workers.vectors[1], 1.25f);
    workers.vectors[0][7] = -4;
    workers.vectors[1][7] = 3.5f;
    for (int worker = 0; worker < 2; worker++) {
      VectorEncoder encoder = CodecSamples.encoder(layout, "lss:0.0001");
      int length = encoder.encode(workers.vectors[worker], STEP);
      workers.messages[worker] = Arrays.copyOf(encoder.message(), length);
    }
    float[] sum = workers.decode(workers.sum());
    float half = 0.5f / 256 / 2; // Fractions are cut off to eight bits and taken as their middle.
    assertEquals(
        2 * (1.125 + half), sum[0], Math.ulp(sum[0]), "both are in the bucket of [1, 1.5)");
    assertEquals(-(4 + 4 * half * 2) + 3.5 + 2 * half, sum[7], 2 * half * 4);
    assertEquals(sum[0], sum[1001]);
  }

  /** Clusters of vectors of one scale share the sum's table of buckets. */
  @Test
  void aSumIsSmallerThanItsParts() {
    Workers workers = new Workers("lss", CodecSamples.layout(new int[] {200, 200}), 1, 0);
    byte[] sum = workers.messages[0];
    int parts = sum.length;
    VectorEncoder encoder = CodecSamples.encoder(workers.layout, "lss");
    for (int worker = 1; worker < 8; worker++) {
      int length = encoder.encode(CodecSamples.laplace(workers.layout.size(), worker), STEP);
      parts += length;
      sum = workers.add(sum, Arrays.copyOf(encoder.message(), length));
    }
    assertTrue(sum.length < parts, sum.length + " bytes of " + parts);
  }

  @Test
  void tooManyMessagesAreRejected() {
    Workers workers = new Workers("lss", CodecSamples.layout(new int[] {1001}), 1, 0);
    byte[] sum = workers.messages[0];
    for (int doublings = 0; doublings < 6; doublings++) {
      sum = workers.add(sum, sum);
    }
    float[] once = workers.decode(workers.messages[0]);
    float[] often = workers.decode(sum);
    for (int i = 0; i < once.length; i++) {
      // Doubled sums have the same mean, which is added 64 times.
      assertEquals(64 * once[i], often[i], 64 * UNIT_ROUNDOFF * Math.abs(often[i]));
    }
    byte[] most = sum;
    MalformedEncodingException refused =
        assertThrows(
            MalformedEncodingException.class, () -> workers.add(most, workers.messages[0]));
    assertTrue(refused.getMessage().contains("up to 64 messages, found 65"), refused::getMessage);
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void forgedSumsAreRejectedOrFinite(String coding) {
    UniformRandomProvider random = CodecSamples.STREAMS.stream("fuzz", 0, 1);
    Workers workers = new Workers(coding, CodecSamples.mixedLayout(), 3, 0);
    byte[] sum = workers.sum();
    for (int i = 0; i < 1500; i++) {
      byte[] forged = sum.clone();
      int changes = 1 + random.nextInt(4);
      for (int change = 0; change < changes; change++) {
        int at = MessageHeader.BYTES + random.nextInt(sum.length - MessageHeader.BYTES);
        forged[at] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
      }
      new MessageHeader(coding, workers.layout)
          .write(forged, forged.length, STEP, forged.length - MessageHeader.BYTES);
      try {
        float[] decoded = workers.decode(forged);
        assertEquals(-1, Finite.firstBad(decoded, 0, decoded.length));
        workers.add(forged, sum);
      } catch (MalformedEncodingException e) {
        assertTrue(e.getMessage().contains("expected"), e::getMessage);
      }
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void messagesOfAnotherStepAreNotAdded(String coding) {
    Workers workers = new Workers(coding, CodecSamples.mixedLayout(), 1, 0);
    byte[] message = workers.messages[0];
    VectorAdder adder = new VectorAdder(workers.layout, Codecs.parse(coding));
    MalformedEncodingException refused =
        assertThrows(
            MalformedEncodingException.class,
            () -> adder.add(message, message.length, message, message.length, STEP + 1));
    assertTrue(refused.getMessage().contains("step 6, found 5"), refused::getMessage);
  }
}
