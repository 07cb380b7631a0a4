package io.github.amb.runtime.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.option.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecsCommandTest {
  private static String print(String... arguments) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertEquals(0, new CodecsCommand().printingTo(out, out).run(List.of(arguments)));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyCodecIsListed() throws Exception {
    String text = print();
    Codecs.ALL.names().forEach(name -> assertTrue(text.contains(name), name));
  }

  @Test
  void aCodecSaysItsBound() throws Exception {
    // QSGD, Lemma 3.1: n = 512 and s = 7, so √n/s = 3.23 is the smaller one.
    assertTrue(print("qsgd:4").contains(" unbiased; relative"), print("qsgd:4"));
    assertTrue(print("qsgd:4").contains("at most 3.23"), print("qsgd:4"));
    assertTrue(print("topk:0.25").contains("at most 0.750"), print("topk:0.25"));
    assertThrows(UsageException.class, () -> print("tpk"));
    assertThrows(UsageException.class, () -> print("--all"));
  }
}
