package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecsTest {
  /**
   * Sizes by hand: 64 columns of P and of Q, 40 + 30 floats each; two means and a byte per entry.
   */
  @Test
  void aCodecThatEnlargesABlockSaysWhich() {
    Layout layout = CodecSamples.layout(new int[] {40, 30}, new int[] {300, 300});
    String text = Codecs.parse("powersgd:30").enlarged(layout, CodecSamples.STREAMS).orElseThrow();
    assertTrue(text.matches(".*powersgd:30.* b0 .* %d .* 4800 .*".formatted(4 * 30 * 70)), text);
    text = Codecs.parse("onebit:bucket=1").enlarged(layout, CodecSamples.STREAMS).orElseThrow();
    assertTrue(text.matches(".* b1 .* 810000 .* 360000 .*"), text);
    for (String codec :
        List.of("none", "none+zstd", "powersgd:2", "onebit", "qsgd:4", "topk:0.1")) {
      assertEquals(
          Optional.empty(), Codecs.parse(codec).enlarged(layout, CodecSamples.STREAMS), codec);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tpk:0.1|did you mean 'topk'",
        "topk:2|a ratio above 0, up to 1, found '2'",
        "topk:0.1,sampeld|found 'sampeld'",
        "topk:0.1,0.2|found '0.2'",
        "topk:0.1+eff|did you mean 'ef'",
        "topk:|",
        "qsgd:1|an integer from 2 to 16, found '1'",
        "qsgd:2.5|an integer from 2 to 16, found '2.5'",
        "qsgd:4,bucket=0|bucket=an integer from 1",
        "atomo-svd:0|an integer from 1",
        "fp16:3|found '3'",
        "dgc:0.1,momentum=1|momentum=0 up to below 1, found '1'",
        "topk:0.1,bits=1|bits=an integer from 2 to 8, found '1'",
        "topk:0.1+ef=0|a share above 0, up to 1, found '0'",
        "demo:8,decay=2|decay=a number above 0, up to 1, found '2'",
        "demo+ef|found a codec that has it",
        "topk:0.1+ef21+ef|found a codec that has it",
        "topk:0.1+ef+ef21|found a codec that has it",
        "signsgd+ef21|found one that does",
        "topk:0.1+after=0|an integer from 1",
        "none+zstd=3|found '3'",
        "lss:clusters=8|clusters=1, 2 or 4, found '8'"
      })
  void whatIsWrongIsSaid(String text, String part) {
    if (part == null) {
      assertEquals("topk:", Codecs.parse(text).text());
      return;
    }
    UsageException rejected = assertThrows(UsageException.class, () -> Codecs.parse(text));
    assertTrue(rejected.getMessage().contains(part), rejected::getMessage);
  }

  @Test
  void everyCodecHasASummary() {
    for (String name : Codecs.ALL.names()) {
      Codec codec = Codecs.parse(name + "+zstd").codec();
      assertTrue(codec.errorBound(64, 32) >= 0, name);
      assertEquals(
          codec.isUnbiased(),
          java.util.List.of("none", "randomk", "qsgd", "terngrad", "atomo-svd", "atomo-entry")
              .contains(name),
          name);
    }
  }

  @Test
  void noneIsNoCodecAtAll() {
    assertSame(Coding.NONE, Codecs.parse("none"));
    assertFalse(Codecs.parse("none+zstd").isNone());
    assertSame(null, new Codings(Coding.NONE, Coding.NONE).master(null, null, null, null, null));
  }

  @Test
  void policiesChooseBlocks() {
    Block weight = new Block("w", Block.Kind.WEIGHT, 0, 300);
    Block tiny = new Block("t", Block.Kind.WEIGHT, 0, 30);
    Block bias = new Block("b", Block.Kind.BIAS, 0, 300);
    Block statistic = new Block("s", Block.Kind.RUNNING_STATISTIC, 0, 300);
    BlockPolicy usual = Codecs.parse("topk").policy();
    assertTrue(usual.encodes(weight));
    assertFalse(usual.encodes(tiny) || usual.encodes(bias) || usual.encodes(statistic));
    BlockPolicy all = Codecs.parse("topk+biases+min=1").policy();
    assertTrue(all.encodes(weight) && all.encodes(tiny) && all.encodes(bias));
    assertFalse(all.encodes(statistic));
    assertEquals(BlockPolicy.ALL, Codecs.parse("adacomp").policy());
  }
}
