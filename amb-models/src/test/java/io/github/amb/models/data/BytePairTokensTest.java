package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Text.Vocabulary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BytePairTokensTest {
  /** Ġ is a blank. After the 256 bytes: lo, low, er, " low". */
  private static final String MERGES = "#version: 0.2\nl o\nlo w\ne r\n\u0120 low\n";

  private static final Vocabulary GPT2 = BytePairTokens.gpt2();

  @TempDir Path folder;

  private Path merges(String text) throws IOException {
    return Files.writeString(folder.resolve("merges.txt"), text);
  }

  private static String decoded(Vocabulary vocabulary, int... tokens) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    IntStream.of(tokens).forEach(token -> bytes.writeBytes(vocabulary.bytes(token)));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void pairsAreMergedInTheirOrder() throws IOException {
    Vocabulary vocabulary = BytePairTokens.of(merges(MERGES));
    assertEquals(260, vocabulary.size());
    // By hand: "low" | " lower" | "\n" | "x". Bytes that are visible count from "!"; the line end
    // is the 11th of those that are not, which follow 188 visible ones.
    int[] expected = {257, 259, 258, 188 + 10, 'x' - '!'};
    assertArrayEquals(expected, vocabulary.encode("low lower\nx"));
    assertArrayEquals(new int[] {'s' - '!', 256, 188 + 32}, vocabulary.encode("slo "));
    // U+00E9 is the bytes C3 A9; 94 visible ones are before A1, and AD is none.
    assertArrayEquals(new int[] {94 + 0xc3 - 0xa2, 94 + 0xa9 - 0xa1}, vocabulary.encode("\u00e9"));
    assertEquals(" low", decoded(vocabulary, 259));
    assertEquals(1, vocabulary.characters(94 + 0xc3 - 0xa2));
    assertEquals(0, vocabulary.characters(94 + 0xa9 - 0xa1));
  }

  @Test
  void gpt2HasItsPublishedTokens() {
    assertArrayEquals(new int[] {15496, 11, 995, 0}, GPT2.encode("Hello, world!"));
    assertArrayEquals(new int[] {198, 220, 198}, GPT2.encode("\n \n"));
    assertEquals("<|endoftext|>", decoded(GPT2, GPT2.size() - 1));
    assertEquals(7, GPT2.encode("<|endoftext|>").length);
  }

  @Property(tries = 200)
  void everyTextComesBack(@ForAll @StringLength(max = 60) String text) throws IOException {
    String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    Path file = Files.createTempFile("merges", ".txt");
    try {
      Files.writeString(file, MERGES);
      for (Vocabulary vocabulary : List.of(GPT2, BytePairTokens.of(file))) {
        int[] tokens = vocabulary.encode(valid);
        assertEquals(valid, decoded(vocabulary, tokens));
        assertEquals(
            valid.codePointCount(0, valid.length()),
            IntStream.of(tokens).map(vocabulary::characters).sum());
      }
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void aFileHasTheTokensOfItsWholeText() throws IOException {
    Random random = new Random(7);
    String[] parts = {"low", "er", " ", "\n", "  ", "'s", "\u00e9", "!", "\t", "12", "\u00a0"};
    StringBuilder text = new StringBuilder();
    while (text.length() < 400_000) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    Path file = Files.writeString(folder.resolve("a.txt"), text);
    BytePairTokens vocabulary = BytePairTokens.of(merges(MERGES));
    IntStream.Builder read = IntStream.builder();
    vocabulary.read(file, read);
    assertArrayEquals(vocabulary.encode(text.toString()), read.build().toArray());
  }

  @Test
  void aDataSetHasTheVocabularyOfItsFile() throws IOException {
    Path merges = merges(MERGES);
    Path file = Files.writeString(folder.resolve("a.txt"), "lower low\n".repeat(40));
    String name = "text:" + file + ",context=2,tokens=bpe:" + merges;
    DataSet data = DataSets.load(name, null, 1);
    assertEquals(260, data.classes());
    // Of 160 tokens, 144 are for training.
    assertEquals(142, data.train().count());
    int[] labels = new int[2];
    data.train().copyLabels(0, labels);
    assertArrayEquals(new int[] {258, 259}, labels);
    Map<String, String> before = DataSets.definition(name).checksums(null);
    merges("l o\n");
    assertNotEquals(before, DataSets.definition(name).checksums(null));
  }

  @Test
  void aMalformedLineIsNamed() throws IOException {
    for (String line : List.of("l", "l o w", "lo w", "l  o", "\u3042 l")) {
      Path file = merges("#version: 0.2\n" + line + "\n");
      String problem =
          assertThrows(UsageException.class, () -> BytePairTokens.of(file)).getMessage();
      assertTrue(problem.startsWith(file + ": line 2: expected two tokens"), problem);
    }
    Path none = folder.resolve("none.txt");
    assertThrows(UsageException.class, () -> BytePairTokens.of(none));
  }
}
