package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.state.StateMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ErrorFeedbackTest {
  static final List<String> CODINGS =
      List.of(
          "topk:0.05+ef",
          "topk:0.05,sampled,warmup=5+ef",
          "randomk:0.1+ef",
          "threshold:0.02+ef",
          "ef-sign",
          "onebit",
          "powersgd:2+ef",
          "int8+ef",
          "bf16+ef",
          "qsgd:2+ef",
          "atomo-svd:1+ef",
          "topk:0.05,bits=2+ef",
          "demo:8,chunk=16,decay=1",
          "dgc:0.05,momentum=0");

  private static final Layout LAYOUT = CodecSamples.layout(new int[] {40, 30});
  private static final int STEPS = 30;

  /**
   * A step adds a gradient to the residual and takes away what is sent. Either rounds, to a float,
   * what is at most the next residual and twice what is sent; that with the residual's own rounding
   * counted double.
   */
  @ParameterizedTest
  @FieldSource("CODINGS")
  void messagesAddUpToTheGradientsLessTheLastResidual(String coding) {
    VectorEncoder encoder = CodecSamples.encoder(LAYOUT, coding);
    VectorDecoder decoder = CodecSamples.decoder(LAYOUT, coding);
    double[] rest = new double[LAYOUT.size()];
    double[] rounding = new double[rest.length];
    for (int step = 1; step <= STEPS; step++) {
      float[] gradient = CodecSamples.laplace(LAYOUT.size(), step);
      float[] sent = CodecSamples.pass(encoder, decoder, gradient, step);
      for (int i = 0; i < rest.length; i++) {
        rest[i] += (double) gradient[i] - sent[i];
        rounding[i] += 2 * 0x1p-24 * (Math.abs(rest[i]) + 2 * Math.abs(sent[i]));
      }
    }
    float[] residual = residual(encoder, coding.startsWith("dgc") ? "sum" : "residual");
    for (int i = 0; i < rest.length; i++) {
      assertEquals(rest[i], residual[i], rounding[i]);
    }
  }

  private static float[] residual(VectorEncoder encoder, String name) {
    StateMap state = new StateMap();
    state.save("uplink", encoder);
    return (float[]) state.get("uplink/b0." + name);
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void anEncoderThatIsRestoredContinuesAsTheOther(String coding) {
    VectorEncoder encoder = CodecSamples.encoder(LAYOUT, coding);
    VectorDecoder decoder = CodecSamples.decoder(LAYOUT, coding);
    for (int step = 1; step <= 3; step++) {
      encoder.encode(CodecSamples.laplace(LAYOUT.size(), step), step);
    }
    StateMap state = new StateMap();
    state.save("uplink", encoder);
    VectorEncoder restored = CodecSamples.encoder(LAYOUT, coding);
    state.restore("uplink", restored);
    float[] next = CodecSamples.laplace(LAYOUT.size(), 4);
    assertArrayEquals(
        CodecSamples.pass(encoder, decoder, next, 4),
        CodecSamples.pass(restored, decoder, next, 4));
  }

  @Test
  void momentumIsMaskedWhereEntriesWereSent() {
    Layout layout = CodecSamples.layout(new int[] {4});
    String coding = "dgc:0.25,momentum=0.5+min=1";
    VectorEncoder encoder = CodecSamples.encoder(layout, coding);
    VectorDecoder decoder = CodecSamples.decoder(layout, coding);
    float[] gradient = {4, 3, 1, 0};
    assertArrayEquals(new float[] {4, 0, 0, 0}, CodecSamples.pass(encoder, decoder, gradient, 1));
    // By hand: u = (0, 1.5, 0.5, 0) + g, v = (0, 3, 1, 0) + u = (4, 7.5, 2.5, 0).
    assertArrayEquals(
        new float[] {0, 7.5f, 0, 0}, CodecSamples.pass(encoder, decoder, gradient, 2));
    // u = (2, 0, 0.75, 0) + g = (6, 3, 1.75, 0), v = (4, 0, 2.5, 0) + u.
    assertArrayEquals(new float[] {10, 0, 0, 0}, CodecSamples.pass(encoder, decoder, gradient, 3));
  }

  /** By hand, with m = 0.5: u = g, then 0.5 u + g. The encoded block sends v = u + v. */
  @Test
  void blocksThatAreNotEncodedHaveMomentumToo() {
    Layout layout =
        new Layout(
            List.of(
                new Block("w", Block.Kind.WEIGHT, 0, 2),
                new Block("b", Block.Kind.BIAS, 2, 1),
                new Block("mean", Block.Kind.RUNNING_STATISTIC, 3, 1)));
    String coding = "topk:0.5+momentum=0.5+min=2";
    VectorEncoder encoder = CodecSamples.encoder(layout, coding);
    VectorDecoder decoder = CodecSamples.decoder(layout, coding);
    float[] gradient = {4, 1, 8, 8};
    assertArrayEquals(new float[] {4, 0, 8, 8}, CodecSamples.pass(encoder, decoder, gradient, 1));
    assertArrayEquals(new float[] {4, 0, 12, 8}, CodecSamples.pass(encoder, decoder, gradient, 2));
  }

  /** By hand, with β = 0.5: e = g, sent is its largest; then e/2 + g, and so on. */
  @Test
  void aDecayedResidualForgets() {
    Layout layout = CodecSamples.layout(new int[] {3});
    VectorEncoder encoder = CodecSamples.encoder(layout, "topk:0.4+ef=0.5+min=1");
    VectorDecoder decoder = CodecSamples.decoder(layout, "topk:0.4+ef=0.5+min=1");
    float[] gradient = {4, 3, 1};
    assertArrayEquals(new float[] {4, 0, 0}, CodecSamples.pass(encoder, decoder, gradient, 1));
    assertArrayEquals(new float[] {0, 4.5f, 0}, CodecSamples.pass(encoder, decoder, gradient, 2));
    // e = (4, 0, 1.5) / 2 + g
    assertArrayEquals(new float[] {6, 0, 0}, CodecSamples.pass(encoder, decoder, gradient, 3));
    assertArrayEquals(new float[] {0, 3, 1.75f}, residual(encoder, "residual"));
  }

  @Test
  void errorFeedbackIsAddedOnceOnly() {
    assertThrows(UsageException.class, () -> Codecs.parse("ef-sign+ef"));
    assertThrows(UsageException.class, () -> Codecs.parse("dgc+ef"));
    UsageException rejected =
        assertThrows(UsageException.class, () -> new Codings(Coding.NONE, Codecs.parse("topk+ef")));
    assertTrue(rejected.getMessage().contains("downlink"));
    assertThrows(UsageException.class, () -> new Codings(Coding.NONE, Codecs.parse("topk+ef21")));
  }
}
