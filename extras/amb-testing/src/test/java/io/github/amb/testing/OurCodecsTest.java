package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.codec.Codecs;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("system")
class OurCodecsTest extends CodecContract {
  @Override
  protected List<String> codecs() {
    return List.of(
        "none+zstd",
        "fp16",
        "bf16",
        "int8",
        "int8:bucket=7+lz4",
        "topk:0.1",
        "topk:0.1,sampled",
        "topk:0.05,warmup=3+ef",
        "topk:0.1+biases+min=1+zstd",
        "topk:0.1,bits=2",
        "topk:0.05,bits=3+ef=0.9",
        "topk:0.1+ef21",
        "qsgd:4+ef21+after=3",
        "topk:0.1+ef+after=5",
        "dgc:0.05",
        "demo:8,chunk=16",
        "demo:1,chunk=5,decay=0.9",
        "randomk:0.1",
        "randomk:0.1+ef",
        "threshold:0.05+ef",
        "adacomp:0.1",
        "qsgd:2",
        "qsgd:4",
        "qsgd:5,bucket=100",
        "qsgd:3,bucket=7",
        "qsgd:8,bucket=1",
        "terngrad",
        "terngrad:bucket=5",
        "terngrad:clip=2.5",
        "atomo-svd:2",
        "atomo-svd:2,square",
        "atomo-entry:0.1",
        "powersgd:2",
        "powersgd:2+ef",
        "signsgd",
        "ef-sign",
        "onebit",
        "sketchml",
        "lss:0.1,clusters=4",
        "lss:0.05+ef");
  }

  @Override
  protected boolean isBoundedOnAverage(String codec) {
    return super.isBoundedOnAverage(codec) || codec.startsWith("randomk");
  }

  @Override
  protected boolean keepsZeros(String codec) {
    return !codec.startsWith("signsgd");
  }

  @Test
  void noCodecIsLeftOut() {
    Set<String> expected = new TreeSet<>(Codecs.ALL.names());
    expected.remove("fp24"); // The example, which is on this class path, too.
    assertEquals(
        expected, codecs().stream().map(text -> text.split("[:+]")[0]).collect(Collectors.toSet()));
  }
}
