package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.link.MessageHeader;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the contract of codecs does not say of messages: their sizes, draws and other blocks. */
class RoundTripTest {
  static final List<String> CODINGS = CodecSamples.CODINGS;

  @ParameterizedTest
  @FieldSource("CODINGS")
  void whatThePolicyLeavesOutComesAsItIs(String coding) {
    Layout layout = CodecSamples.mixedLayout();
    float[] values = CodecSamples.laplace(layout.size(), 5);
    float[] decoded =
        CodecSamples.pass(
            CodecSamples.encoder(layout, coding), CodecSamples.decoder(layout, coding), values, 1);
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
    Layout layout = CodecSamples.layout(new int[] {512, 512});
    float[] values = CodecSamples.laplace(layout.size(), 9);
    int entries = layout.size();
    int header = MessageHeader.BYTES;
    assertEquals(2 * entries + 4 + header, CodecSamples.encoder(layout, "fp16").encode(values, 1));
    assertEquals(2 * entries + header, CodecSamples.encoder(layout, "bf16").encode(values, 1));
    assertEquals(
        entries + 4 * entries / 256 + header,
        CodecSamples.encoder(layout, "int8").encode(values, 1));
    assertEquals(
        entries / 2 + 4 * entries / 512 + header,
        CodecSamples.encoder(layout, "qsgd:4").encode(values, 1));
    assertEquals(
        entries / 8 + 1 + header, CodecSamples.encoder(layout, "signsgd").encode(values, 1));
    assertEquals(
        4 * 512 + (entries + 4) / 5 + header,
        CodecSamples.encoder(layout, "terngrad").encode(values, 1));
  }

  /** A message may be discarded after it has been encoded. */
  @ParameterizedTest
  @FieldSource("CODINGS")
  void aMessageCanBeEncodedAgainFromAKeptState(String coding) {
    Layout layout = CodecSamples.mixedLayout();
    VectorEncoder encoder = CodecSamples.encoder(layout, coding);
    StateMap kept = new StateMap();
    for (int step = 1; step <= 4; step++) {
      kept.keep("uplink", encoder);
      float[] values = CodecSamples.laplace(layout.size(), step);
      int size = encoder.encode(values, step);
      byte[] message = Arrays.copyOf(encoder.message(), size);
      VectorEncoder again = CodecSamples.encoder(layout, coding);
      kept.restore("uplink", again);
      int length = again.encode(values, step);
      assertArrayEquals(message, Arrays.copyOf(again.message(), length), "step " + step);
    }
  }

  /** Of half the entries the smallest is zero, which is no threshold. */
  @Test
  void aThresholdIsNotZeroWhereMostEntriesAre() {
    Layout layout = CodecSamples.layout(new int[] {100});
    float[] values = new float[100];
    System.arraycopy(CodecSamples.laplace(10, 1), 0, values, 40, 10);
    String coding = "threshold:0.5+min=1";
    float[] decoded =
        CodecSamples.pass(
            CodecSamples.encoder(layout, coding), CodecSamples.decoder(layout, coding), values, 1);
    for (int i = 0; i < 100; i++) {
      assertEquals(Math.signum(values[i]), Math.signum(decoded[i]), "entry " + i);
    }
  }

  @Test
  void theSameStepAndRankDrawTheSame() {
    Layout layout = CodecSamples.layout(new int[] {1000});
    float[] values = CodecSamples.laplace(1000, 1);
    VectorDecoder decoder = CodecSamples.decoder(layout, "qsgd:2");
    float[] first = CodecSamples.pass(CodecSamples.encoder(layout, "qsgd:2"), decoder, values, 4);
    VectorEncoder again = CodecSamples.encoder(layout, "qsgd:2");
    assertArrayEquals(first, CodecSamples.pass(again, decoder, values, 4));
    assertTrue(
        CodecSamples.squaredDistance(first, CodecSamples.pass(again, decoder, values, 4)) > 0,
        "a second message of one step makes new draws");
    assertTrue(
        CodecSamples.squaredDistance(first, CodecSamples.pass(again, decoder, values, 5)) > 0);
  }

  /** Values are the same, so what is sent of them shows which entries were drawn. */
  @Test
  void messagesOfAStepHaveTheSameRandomEntries() {
    Layout layout = CodecSamples.layout(new int[] {1000});
    float[] values = CodecSamples.laplace(1000, 1);
    VectorEncoder encoder = CodecSamples.encoder(layout, "randomk:0.1+min=1");
    VectorDecoder decoder = CodecSamples.decoder(layout, "randomk:0.1+min=1");
    float[] first = CodecSamples.pass(encoder, decoder, values, 4);
    assertArrayEquals(first, CodecSamples.pass(encoder, decoder, values, 4));
    assertTrue(
        CodecSamples.squaredDistance(first, CodecSamples.pass(encoder, decoder, values, 5)) > 0);
  }

  @Test
  void drawsOfAStepContinueFromSavedState() {
    Layout layout = CodecSamples.layout(new int[] {1000});
    float[] values = CodecSamples.laplace(1000, 1);
    VectorDecoder decoder = CodecSamples.decoder(layout, "qsgd:2");
    VectorEncoder encoder = CodecSamples.encoder(layout, "qsgd:2");
    float[] first = CodecSamples.pass(encoder, decoder, values, 4);
    StateMap state = new StateMap();
    state.save("uplink", encoder);
    float[] second = CodecSamples.pass(encoder, decoder, values, 4);
    VectorEncoder resumed = CodecSamples.encoder(layout, "qsgd:2");
    state.restore("uplink", resumed);
    assertArrayEquals(second, CodecSamples.pass(resumed, decoder, values, 4));
    VectorEncoder earlier = CodecSamples.encoder(layout, "qsgd:2");
    state.without("uplink/message.step").restore("uplink", earlier);
    assertArrayEquals(first, CodecSamples.pass(earlier, decoder, values, 4));
  }
}
