package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.codec.link.MessageHeader;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.update.NonFiniteGradientException;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Whatever bytes come, a decoder says that they are malformed or decodes finite numbers. */
class HostileMessageTest {
  static final List<String> CODINGS = Sample.CODINGS;

  private static final Layout LAYOUT = Sample.mixedLayout();
  private static final long STEP = 6;
  private static final int TRIES = 1500;

  private final UniformRandomProvider random = Sample.STREAMS.stream("fuzz", 0, 0);
  private final float[] values = new float[LAYOUT.size()];

  private static byte[] message(String coding) {
    VectorEncoder encoder = Sample.encoder(LAYOUT, coding);
    int length = encoder.encode(Sample.laplace(LAYOUT.size(), 2), STEP);
    return Arrays.copyOf(encoder.message(), length);
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void everyTruncationIsRejected(String coding) {
    byte[] message = message(coding);
    VectorDecoder decoder = Sample.decoder(LAYOUT, coding);
    for (int length = 0; length < message.length; length++) {
      byte[] part = Arrays.copyOf(message, length);
      assertThrows(
          MalformedEncodingException.class, () -> decoder.decode(part, part.length, STEP, values));
    }
    decoder.decode(message, message.length, STEP, values);
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void everyFlippedBitIsFound(String coding) {
    byte[] message = message(coding);
    VectorDecoder decoder = Sample.decoder(LAYOUT, coding);
    for (int i = 0; i < TRIES; i++) {
      int bit = random.nextInt(8 * message.length);
      message[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(
          MalformedEncodingException.class,
          () -> decoder.decode(message, message.length, STEP, values));
      message[bit / 8] ^= (byte) (1 << bit % 8);
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void forgedBodiesWithARightChecksumAreRejectedOrFinite(String coding) {
    byte[] message = message(coding);
    VectorDecoder decoder = Sample.decoder(LAYOUT, coding);
    int refused = 0;
    for (int i = 0; i < TRIES; i++) {
      refused += refuses(decoder, coding, forged(message)) ? 1 : 0;
    }
    assertTrue(refused > 0, "no forgery was refused");
  }

  private byte[] forged(byte[] message) {
    boolean cut = random.nextInt(4) == 0;
    int least = MessageHeader.BYTES;
    int length = cut ? least + random.nextInt(message.length - least) : message.length;
    byte[] forged = Arrays.copyOf(message, length);
    int changes = length == least ? 0 : 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      int at = least + random.nextInt(length - least);
      forged[at] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
    }
    return forged;
  }

  private boolean refuses(VectorDecoder decoder, String coding, byte[] forged) {
    int body = MessageHeader.body(forged);
    boolean packed = Codecs.parse(coding).stage() != WireStage.NONE;
    int claimed = random.nextInt(8) == 0 ? random.nextInt() : body;
    new MessageHeader(coding, LAYOUT)
        .write(forged, forged.length, STEP, packed ? claimed : forged.length - MessageHeader.BYTES);
    Arrays.fill(values, 0);
    try {
      decoder.decode(forged, forged.length, STEP, values);
    } catch (MalformedEncodingException e) {
      return true;
    }
    assertEquals(-1, Finite.firstBad(values, 0, values.length));
    return false;
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void bodiesOfOnesOrOfNoiseAreRejectedOrFinite(String coding) {
    byte[] message = message(coding);
    VectorDecoder decoder = Sample.decoder(LAYOUT, coding);
    Arrays.fill(message, MessageHeader.BYTES, message.length, (byte) 0xFF);
    refuses(decoder, coding, message);
    for (int i = 0; i < TRIES / 10; i++) {
      byte[] noise = new byte[MessageHeader.BYTES + random.nextInt(message.length)];
      random.nextBytes(noise);
      refuses(decoder, coding, noise);
    }
  }

  @Test
  void lengthsOfTwoGigabytesAreRejected() {
    for (String coding : List.of("none+zstd", "int8+lz4")) {
      byte[] message = message(coding);
      new MessageHeader(coding, LAYOUT).write(message, message.length, STEP, Integer.MAX_VALUE - 8);
      MalformedEncodingException refused =
          assertThrows(
              MalformedEncodingException.class,
              () ->
                  new VectorDecoder(LAYOUT, Codecs.parse(coding), Sample.STREAMS, "uplink")
                      .decode(message, message.length, STEP, values));
      assertTrue(refused.getMessage().contains("bytes of blocks"), refused::getMessage);
    }
  }

  @Test
  void anotherCodecLayoutStepOrVersionIsRejectedByName() {
    byte[] message = message("fp16");
    refused("codec", Sample.decoder(LAYOUT, "bf16"), message, STEP);
    refused("step 7, found 6", Sample.decoder(LAYOUT, "fp16"), message, STEP + 1);
    Layout other = Sample.layout(new int[] {LAYOUT.size()});
    refused("layout", Sample.decoder(other, "fp16"), message, STEP);
    message[4]++;
    refused("format version", Sample.decoder(LAYOUT, "fp16"), message, STEP);
  }

  private void refused(String what, VectorDecoder decoder, byte[] message, long step) {
    MalformedEncodingException e =
        assertThrows(
            MalformedEncodingException.class,
            () -> decoder.decode(message, message.length, step, values));
    assertTrue(e.getMessage().contains(what), e::getMessage);
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void nonFiniteGradientsAreRejectedByRankAndBlock(String coding) {
    for (float bad : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      float[] gradient = new float[LAYOUT.size()];
      gradient[616 + 30] = bad;
      NonFiniteGradientException refused =
          assertThrows(
              NonFiniteGradientException.class,
              () -> Sample.encoder(LAYOUT, coding).encode(gradient, 1));
      assertEquals(1, refused.rank());
      assertEquals("fc.W", refused.block());
      assertTrue(refused.getMessage().contains("entry 30"), refused::getMessage);
    }
  }
}
