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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the contract of codecs does not say of messages: their sizes, draws and other blocks. */
class RoundTripTest {
  static final List<String> CODINGS = Sample.CODINGS;

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
