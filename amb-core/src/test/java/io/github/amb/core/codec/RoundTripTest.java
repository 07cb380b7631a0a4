package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.link.MessageHeader;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is decoded is what the codec promises, whatever the shape. */
class RoundTripTest {
  static final List<String> CODINGS = Sample.CODINGS;

  @Provide
  Arbitrary<String> codings() {
    return Arbitraries.of(CODINGS);
  }

  @Provide
  Arbitrary<int[]> shapes() {
    return Arbitraries.integers().between(0, 13).array(int[].class).ofMinSize(1).ofMaxSize(4);
  }

  @Property(tries = 400)
  void anyShapeComesBackWithinTheBound(
      @ForAll("codings") String coding, @ForAll("shapes") int[] shape, @ForAll long seed) {
    check(coding + (coding.contains("+min") ? "" : "+min=1"), shape, seed);
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void largeBlocksComeBackWithinTheBound(String coding) {
    check(coding, new int[] {61, 1021}, 1);
  }

  private static void check(String coding, int[] shape, long seed) {
    Layout layout = Sample.layout(shape);
    float[] values = Sample.laplace(layout.size(), seed);
    float[] before = values.clone();
    float[] decoded =
        Sample.pass(Sample.encoder(layout, coding), Sample.decoder(layout, coding), values, 3);
    assertArrayEquals(before, values, "encoding must not modify the values");
    Codec codec = Codecs.parse(coding).codec();
    double bound = codec.errorBound(shape);
    boolean inExpectation = codec.isUnbiased() || coding.startsWith("randomk");
    if (!inExpectation && bound <= 1) {
      double error = Sample.squaredDistance(values, decoded);
      // Each entry is rounded a few times on its way, and those of a scale or a product as well.
      double root = Math.sqrt(bound) + 8 * 0x1p-24;
      double most = root * root * Sample.squaredNorm(values);
      assertTrue(
          error <= most, () -> coding + Arrays.toString(shape) + ": " + error + " > " + most);
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void zerosComeBack(String coding) {
    Layout layout = Sample.layout(new int[] {30, 30});
    float[] zeros = new float[900];
    float[] decoded =
        Sample.pass(Sample.encoder(layout, coding), Sample.decoder(layout, coding), zeros, 1);
    if (!coding.equals("signsgd")) {
      assertArrayEquals(zeros, decoded);
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void extremeMagnitudesStayFinite(String coding) {
    Layout layout = Sample.layout(new int[] {600});
    float[] values = new float[600];
    Arrays.fill(values, Float.MIN_VALUE);
    values[5] = -1e37f;
    values[17] = 1e30f;
    float[] decoded =
        Sample.pass(Sample.encoder(layout, coding), Sample.decoder(layout, coding), values, 1);
    for (float value : decoded) {
      assertTrue(Float.isFinite(value));
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void whatThePolicyLeavesOutComesAsItIs(String coding) {
    Layout layout = Sample.mixedLayout();
    float[] values = Sample.laplace(layout.size(), 5);
    float[] decoded =
        Sample.pass(Sample.encoder(layout, coding), Sample.decoder(layout, coding), values, 1);
    BlockPolicy policy = Codecs.parse(coding).policy();
    layout.blocks().stream()
        .filter(block -> !policy.encodes(block))
        .forEach(
            block ->
                assertArrayEquals(
                    Arrays.copyOfRange(values, block.offset(), block.end()),
                    Arrays.copyOfRange(decoded, block.offset(), block.end()),
                    block::name));
  }

  @Test
  void messagesHaveTheSizeThatTheCodecSays() {
    Layout layout = Sample.layout(new int[] {512, 512});
    float[] values = Sample.laplace(layout.size(), 9);
    int entries = layout.size();
    int header = MessageHeader.BYTES;
    assertEquals(2 * entries + 4 + header, Sample.encoder(layout, "fp16").encode(values, 1));
    assertEquals(2 * entries + header, Sample.encoder(layout, "bf16").encode(values, 1));
    assertEquals(
        entries + 4 * entries / 256 + header, Sample.encoder(layout, "int8").encode(values, 1));
    assertEquals(
        entries / 2 + 4 * entries / 512 + header,
        Sample.encoder(layout, "qsgd:4").encode(values, 1));
    assertEquals(entries / 8 + 1 + header, Sample.encoder(layout, "signsgd").encode(values, 1));
    assertEquals(
        4 * 512 + (entries + 4) / 5 + header, Sample.encoder(layout, "terngrad").encode(values, 1));
  }

  @Test
  void theSameStepAndRankDrawTheSame() {
    Layout layout = Sample.layout(new int[] {1000});
    float[] values = Sample.laplace(1000, 1);
    VectorDecoder decoder = Sample.decoder(layout, "qsgd:2");
    float[] first = Sample.pass(Sample.encoder(layout, "qsgd:2"), decoder, values, 4);
    VectorEncoder again = Sample.encoder(layout, "qsgd:2");
    assertArrayEquals(first, Sample.pass(again, decoder, values, 4));
    assertTrue(
        Sample.squaredDistance(first, Sample.pass(again, decoder, values, 4)) > 0,
        "a second message of one step makes new draws");
    assertTrue(Sample.squaredDistance(first, Sample.pass(again, decoder, values, 5)) > 0);
  }
}
