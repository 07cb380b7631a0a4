package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.link.MessageHeader;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import org.junit.jupiter.api.Test;

/** What the contract of codecs does not say of messages: their sizes and draws. */
class RoundTripTest {
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

  /** Of half the entries the smallest is zero, which is no threshold. */
  @Test
  void aThresholdIsNotZeroWhereMostEntriesAre() {
    float[] values = new float[100];
    System.arraycopy(CodecSamples.laplace(10, 1), 0, values, 40, 10);
    float[] decoded = decoded("threshold:0.5+min=1", values);
    for (int i = 0; i < 100; i++) {
      assertEquals(Math.signum(values[i]), Math.signum(decoded[i]), "entry " + i);
    }
  }

  @Test
  void aSignIsDecodedAsAMean() {
    assertArrayEquals(new float[] {2, -2, 2, 2}, decoded("ef-sign+min=1", 3, -1, 0, 4));
    assertArrayEquals(new float[] {2, 2, -2}, decoded("onebit+min=1", 3, 1, -2));
  }

  private static float[] decoded(String coding, float... values) {
    Layout layout = CodecSamples.layout(new int[] {values.length});
    return CodecSamples.pass(
        CodecSamples.encoder(layout, coding), CodecSamples.decoder(layout, coding), values, 1);
  }

  /** By hand: of 8, 6, 5 and −3 in the range 3 to 8, the means above and up to 5.5 are 7 and 4. */
  @Test
  void bitsOfAnEntryAreASignAndAMean() {
    assertArrayEquals(
        new float[] {7, 0, 7, 4, -4, 0}, decoded("topk:0.7,bits=2+min=1", 8, 1, 6, 5, -3, 0));
    assertArrayEquals(new float[] {2, 2, -2}, decoded("topk:1,bits=2+min=1", 2, 2, -2));
  }

  /** Of 1000 entries a share of 0.05 has the standard deviation 0.007. */
  @Test
  void aThresholdFollowsValuesThatShrink() {
    Layout layout = CodecSamples.layout(new int[] {1000});
    String coding = "threshold:0.05+min=1";
    VectorEncoder encoder = CodecSamples.encoder(layout, coding);
    VectorDecoder decoder = CodecSamples.decoder(layout, coding);
    double share = 0;
    for (int step = 1; step <= 200; step++) {
      float[] values = CodecSamples.laplace(1000, step);
      for (int i = 0; i < values.length; i++) {
        values[i] *= (float) Math.pow(0.98, step);
      }
      for (float value : CodecSamples.pass(encoder, decoder, values, step)) {
        share += step > 100 && value != 0 ? 1e-5 : 0;
      }
    }
    assertTrue(share > 0.03 && share < 0.08, "share " + share);
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
