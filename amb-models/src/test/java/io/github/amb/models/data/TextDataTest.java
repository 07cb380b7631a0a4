package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Text.Vocabulary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextDataTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("a.txt"), text);
  }

  private static DataSet load(Path place, String arguments) {
    return DataSets.load("text:" + place + arguments, null, 1);
  }

  private String problem(String arguments) {
    return assertThrows(UsageException.class, () -> load(folder.resolve("a.txt"), arguments))
        .getMessage();
  }

  private static String decoded(Vocabulary vocabulary, int... tokens) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    IntStream.of(tokens).forEach(token -> bytes.writeBytes(vocabulary.bytes(token)));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int[] features(Examples examples, int context, int example) {
    float[] features = new float[context];
    examples.copyFeatures(example, features);
    return IntStream.range(0, context).map(i -> (int) features[i]).toArray();
  }

  private static int[] labels(Examples examples, int example) {
    int[] labels = new int[examples.positions()];
    examples.copyLabels(example, labels);
    return labels;
  }

  /** All code points but NUL and halves of pairs; some of one byte, so that some repeat. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Integer> codes =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.integers().between(1, 127)),
            Tuple.of(
                1,
                Arbitraries.integers().between(1, 0x10ffff).filter(c -> c < 0xd800 || c > 0xdfff)));
    return codes
        .list()
        .ofMinSize(11)
        .ofMaxSize(400)
        .map(
            list -> {
              StringBuilder text = new StringBuilder("x");
              list.forEach(text::appendCodePoint);
              return text.toString();
            });
  }

  @Property(tries = 100)
  void everyTextComesBackFromItsTokens(@ForAll("texts") String text) throws IOException {
    Path file = Files.createTempFile("text", ".txt");
    try {
      Files.writeString(file, text);
      for (String tokens : List.of("characters", "bytes")) {
        DataSet data = load(file, ",context=1,tokens=" + tokens);
        Vocabulary vocabulary = data.text().vocabulary();
        int[] encoded = vocabulary.encode(text);
        assertEquals(text, decoded(vocabulary, encoded));
        assertEquals(
            text.codePoints().count(), IntStream.of(encoded).map(vocabulary::characters).sum());
        assertEquals(data.classes(), vocabulary.size());
        // Windows of one token: the examples have the tokens but the first of each part.
        IntStream read =
            IntStream.concat(
                IntStream.range(0, data.train().count()).map(data.train()::label),
                IntStream.range(0, data.test().count()).map(data.test()::label));
        int end = encoded.length * 9 / 10;
        int[] expected = IntStream.range(1, encoded.length).filter(i -> i != end).toArray();
        assertArrayEquals(Arrays.stream(expected).map(i -> encoded[i]).toArray(), read.toArray());
      }
    } finally {
      Files.delete(file);
    }
  }

  @Property(tries = 50)
  void windowsHaveTheTokensAndThoseThatFollow(
      @ForAll @IntRange(min = 1, max = 9) int context, @ForAll @IntRange(max = 200) int more)
      throws IOException {
    int length = 10 * context + 1 + more;
    int[] text = IntStream.range(0, length).map(i -> (i * i + i / 7) % 251).toArray();
    byte[] bytes = new byte[length];
    IntStream.range(0, length).forEach(i -> bytes[i] = (byte) text[i]);
    Path file = Files.createTempFile("text", ".bin");
    try {
      Files.write(file, bytes);
      DataSet data = load(file, ",tokens=bytes,context=" + context);
      int end = length * 9 / 10;
      assertEquals(new ImageShape(1, 1, context), data.shape());
      assertEquals(256, data.classes());
      assertEquals(end - context, data.train().count());
      assertEquals((length - end - 1) / context, data.test().count());
      for (int i = 0; i < data.train().count(); i++) {
        assertWindow(text, i, context, data.train(), i);
      }
      for (int i = 0; i < data.test().count(); i++) {
        assertWindow(text, end + i * context, context, data.test(), i);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static void assertWindow(
      int[] text, int start, int context, Examples examples, int example) {
    assertArrayEquals(
        Arrays.copyOfRange(text, start, start + context), features(examples, context, example));
    assertArrayEquals(
        Arrays.copyOfRange(text, start + 1, start + 1 + context), labels(examples, example));
    assertEquals(text[start + 1], examples.label(example));
  }

  @Test
  void aCharacterIsACodePoint() throws IOException {
    DataSet data = load(file("\ufeffa\r\n\ud83d\ude00".repeat(1) + "a".repeat(20)), ",context=1");
    // The mark at the start is no character, and a line end stays as it is.
    assertEquals(4, data.classes());
    assertEquals("\n\ra\ud83d\ude00", decoded(data.text().vocabulary(), 0, 1, 2, 3));
    assertArrayEquals(new int[] {3, 1}, data.text().vocabulary().encode("\ud83d\ude00\r"));
    assertEquals(23 * 9 / 10, data.train().count());
  }

  @Test
  void tokensPerCharacterAreThoseOfTheLastTenth() throws IOException {
    Path file = file("a".repeat(180) + "\u00e9".repeat(10));
    assertEquals(1, load(file, ",context=4").text().tokensPerCharacter());
    // The last 20 of 200 bytes are 10 characters.
    DataSet bytes = load(file, ",context=4,tokens=bytes");
    assertEquals(2, bytes.text().tokensPerCharacter());
    // A loss of ln 4 per token: 2 bits each.
    Evaluation scores = bytes.scores(new Evaluation(Math.log(4), 0.5, 4));
    assertEquals(new Evaluation(Math.log(4), Double.NaN, 4), scores);
    assertEquals(
        List.of("perplexity", "bits_per_character"), List.copyOf(bytes.metrics(scores).keySet()));
    assertEquals(4, bytes.metrics(scores).get("perplexity"), 1e-12);
    assertEquals(4, bytes.metrics(scores).get("bits_per_character"), 1e-12);
  }

  @Test
  void smoothedLabelsAreThoseOfAllPositions() throws IOException {
    DataSet data = load(file("abcdefghij".repeat(5)), ",context=4");
    DataSet smoothed = SmoothedLabels.of(data, 0.1, null);
    assertArrayEquals(labels(data.train(), 7), labels(smoothed.train(), 7));
    assertEquals(data.text().vocabulary(), smoothed.text().vocabulary());
  }

  @Test
  void moreThan256CharactersHaveTheirOwnTokens() throws IOException {
    String text =
        IntStream.range(0x4e00, 0x4e00 + 400)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    DataSet data = load(file(text), ",context=4");
    assertEquals(400, data.classes());
    assertArrayEquals(new int[] {300, 301, 302, 303}, features(data.train(), 4, 300));
    String note = data.remarks(1).toString();
    assertEquals(1, data.remarks(1).size(), note);
    assertTrue(note.contains("the last tenth alone has: 40, as '" + text.charAt(360)), note);
  }

  @Test
  void filesOfAFolderFollowInTheOrderOfTheirPaths() throws IOException {
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    Files.createDirectory(corpus.resolve("b"));
    Files.writeString(corpus.resolve("c.txt"), "cccccc");
    Files.writeString(corpus.resolve("b/z.txt"), "zzzzzz");
    Files.writeString(corpus.resolve("a.txt"), "aaaaaa");
    Files.writeString(corpus.resolve(".hidden"), "hhhhhh");
    Files.createDirectory(corpus.resolve(".git"));
    Files.writeString(corpus.resolve(".git/x"), "xxxxxx");
    DataSet data = load(corpus, ",context=1");
    int[] read = IntStream.range(0, data.train().count()).map(data.train()::label).toArray();
    assertEquals("aaaaazzzzzzcccc", decoded(data.text().vocabulary(), read));
    var before = DataSets.definition("text:" + corpus).checksums(null);
    Files.move(corpus.resolve("c.txt"), corpus.resolve("d.txt"));
    assertEquals(before.keySet(), DataSets.definition("text:" + corpus).checksums(null).keySet());
    assertNotEquals(before, DataSets.definition("text:" + corpus).checksums(null));
  }

  @Test
  void aFaultHasItsLine() throws IOException {
    Path file = folder.resolve("a.txt");
    byte[] latin = "one\r\ntwo\r\nK\u00e4fer\n".repeat(50).getBytes(StandardCharsets.ISO_8859_1);
    Files.write(file, latin);
    assertTrue(problem("").startsWith(file + ": line 3: expected text in UTF-8"), problem(""));
    assertEquals(256, load(file, ",tokens=bytes,context=4").classes());
    file("a\nb\0c\n".repeat(200));
    assertTrue(problem("").startsWith(file + ": line 2: expected text, found"), problem(""));
    Files.write(file, "\ufeffabc".repeat(300).getBytes(StandardCharsets.UTF_16LE));
    assertTrue(problem("").contains("byte order mark of UTF-16"), problem(""));
  }

  @Test
  void aTextThatIsTooShortIsRejected() throws IOException {
    for (String text : List.of("", "a", "a".repeat(640))) {
      file(text);
      String expected = "more than 640 tokens, of which the last tenth has a window of 64, found ";
      assertTrue(problem("").contains(expected + text.length()), problem(""));
    }
    assertEquals(1, load(file("a".repeat(641)), "").test().count());
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertTrue(
        assertThrows(UsageException.class, () -> load(empty, ""))
            .getMessage()
            .startsWith("" + empty));
  }

  @Test
  void wrongArgumentsAreNamed() throws IOException {
    file("a");
    assertTrue(problem(",context=0").contains("context="), problem(",context=0"));
    assertTrue(problem(",window=3").contains("found 'window=3'"), problem(",window=3"));
    assertTrue(problem(",tokens=words").contains("tokens=words"), problem(",tokens=words"));
    for (String name : List.of("text", "text:", "text:" + folder.resolve("none"))) {
      assertThrows(UsageException.class, () -> DataSets.load(name, null, 1), name);
    }
    assertThrows(UsageException.class, () -> DataSets.load("tinyshakespeare:64", folder, 1));
  }

  @Test
  void anUnknownCharacterIsNamedWithItsPlace() throws IOException {
    Vocabulary vocabulary = load(file("a".repeat(30)), ",context=1").text().vocabulary();
    String problem =
        assertThrows(UsageException.class, () -> vocabulary.encode("aa\ud83d\ude00")).getMessage();
    assertTrue(problem.startsWith("character 3: ") && problem.contains("U+1F600"), problem);
  }

  @Test
  void tinyShakespeareIsFoundWithItsContext() throws IOException {
    // Other content than the published one is the user's own, and is accepted.
    Files.writeString(folder.resolve("tinyshakespeare.txt"), "To be, or not to be.\n".repeat(99));
    DataSet data = DataSets.load("tiny_shakespeare:context=16", folder, 1);
    assertEquals(16, data.train().positions());
    var set = DataSets.definition("tinyshakespeare");
    assertEquals(1_003_854 - 64, set.trainingExamples());
    assertEquals((111_540 - 1) / 64, set.testExamples());
    assertEquals("tinyshakespeare", DataSets.definition("tinyshakespeare:context=8").folder());
  }
}
