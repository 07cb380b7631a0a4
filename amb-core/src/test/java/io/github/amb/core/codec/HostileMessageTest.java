package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.link.MessageHeader;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that claim what they are not; the contract of codecs has the malformed ones. */
class HostileMessageTest {
  private static final Layout LAYOUT = CodecSamples.mixedLayout();
  private static final long STEP = 6;

  private final float[] values = new float[LAYOUT.size()];

  private static byte[] message(String coding) {
    VectorEncoder encoder = CodecSamples.encoder(LAYOUT, coding);
    int length = encoder.encode(CodecSamples.laplace(LAYOUT.size(), 2), STEP);
    return Arrays.copyOf(encoder.message(), length);
  }

  @Test
  void lengthsOfTwoGigabytesAreRejected() {
    for (String coding : List.of("none+zstd", "int8+lz4")) {
      byte[] message = message(coding);
      new MessageHeader(coding, LAYOUT).write(message, message.length, Integer.MAX_VALUE - 8);
      MalformedEncodingException rejected =
          assertThrows(
              MalformedEncodingException.class,
              () ->
                  new VectorDecoder(LAYOUT, Codecs.parse(coding), CodecSamples.STREAMS, "uplink")
                      .decode(message, message.length, STEP, values));
      assertTrue(rejected.getMessage().contains("bytes of blocks"), rejected::getMessage);
    }
  }

  @Test
  void anotherCodecOrLayoutIsRejectedByName() {
    byte[] message = message("fp16");
    rejected("codec", CodecSamples.decoder(LAYOUT, "bf16"), message, STEP);
    Layout other = CodecSamples.layout(new int[] {LAYOUT.size()});
    rejected("layout", CodecSamples.decoder(other, "fp16"), message, STEP);
  }

  private void rejected(String what, VectorDecoder decoder, byte[] message, long step) {
    MalformedEncodingException e =
        assertThrows(
            MalformedEncodingException.class,
            () -> decoder.decode(message, message.length, step, values));
    assertTrue(e.getMessage().contains(what), e::getMessage);
  }
}
