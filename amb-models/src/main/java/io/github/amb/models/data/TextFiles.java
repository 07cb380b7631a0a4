package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Printable;
import io.github.amb.core.file.SystemText;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * A text of one file, or of all files of a folder and its folders, one after the other in the order
 * of their paths. The last tenth of its tokens is for testing.
 *
 * @param place the file or folder
 * @param files the files
 */
record TextFiles(Path place, List<Path> files) {
  /**
   * Lists the files; hidden ones are left out.
   *
   * @throws UsageException if there are none
   */
  static TextFiles at(Path place) {
    if (!Files.isDirectory(place)) {
      return new TextFiles(place, List.of(place));
    }
    try {
      List<Path> files =
          Folder.files(place).stream()
              .filter(file -> !("/" + place.relativize(file)).contains("/."))
              .map(SystemText::expectDecoded)
              .toList();
      if (files.isEmpty()) {
        throw new UsageException("%s: expected files of text, found none", place);
      }
      return new TextFiles(place, files);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static UsageException unreadable(IOException e) {
    return new UsageException("cannot be read: " + FileFailure.text(e));
  }

  /** Number of tokens for training, of all tokens of a text. */
  static int trainingTokens(int tokens) {
    return (int) (tokens * 9L / 10);
  }

  /** Number of windows for testing, of all tokens of a text. */
  static int testWindows(int tokens, int context) {
    return (tokens - trainingTokens(tokens) - 1) / context;
  }

  /**
   * Reads the text as windows. Those for training start at every token, and those for testing do
   * not overlap.
   *
   * @param name what the user calls it
   * @param usual makes tokens of any text
   * @param context tokens of a window
   * @throws UsageException if a file is no text, or the text is too short or too long
   */
  DataSet read(String name, Tokenizer usual, int context) {
    Tokenizer tokenizer = usual;
    long[] expected = {0};
    if (usual.size() > 0) {
      // A token of two bytes stands for a few bytes of a text.
      expected[0] = bytes() / (TokenArray.bytes(usual.size()) == 1 ? 1 : 3);
    } else {
      BitSet symbols = new BitSet();
      forEach(
          usual,
          symbol -> {
            symbols.set(symbol);
            expected[0]++;
          });
      tokenizer = usual.of(symbols);
    }
    TokenArray tokens = tokens(tokenizer, expected[0]);
    if (usual.size() == 0 && tokens.length() != expected[0]) {
      throw new UsageException(
          "%s: expected a text that stays as it is, found a change while it was read: try again",
          place);
    }
    int end = trainingTokens(tokens.length());
    if (testWindows(tokens.length(), context) < 1) {
      throw new UsageException(
          "%s: expected a text of more than %d tokens, of which the last tenth has a window of %d, found %d; add text or choose a smaller context",
          place, 10L * context, context, tokens.length());
    }
    return new DataSet(
        name,
        new ImageShape(1, 1, context),
        tokenizer.size(),
        TextExamples.of(tokens, 0, end, 1, context),
        TextExamples.of(tokens, end, tokens.length(), context, context),
        List.of(),
        note(tokens, end, tokenizer),
        new Text(tokenizer, tokensPerCharacter(tokens, end, tokenizer)));
  }

  private long bytes() {
    return files.stream().mapToLong(file -> file.toFile().length()).sum();
  }

  private TokenArray tokens(Tokenizer tokenizer, long expected) {
    int vocabulary = tokenizer.size();
    expectRoom(expected, vocabulary);
    TokenArray tokens = new TokenArray((int) expected, vocabulary);
    forEach(
        tokenizer,
        symbol -> {
          if (tokens.length() == tokens.capacity()) {
            long more = tokens.capacity() + tokens.capacity() / 2 + 1L;
            expectRoom(more, vocabulary);
            tokens.grow((int) more);
          }
          tokens.add(tokenizer.token(symbol));
        });
    return tokens;
  }

  private void forEach(Tokenizer tokenizer, IntConsumer symbols) {
    for (Path file : files) {
      try {
        tokenizer.read(file, symbols);
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
  }

  private void expectRoom(long tokens, int vocabulary) {
    if (vocabulary > TokenArray.MAX_VOCABULARY) {
      throw new UsageException(
          "%s: expected at most %d different characters, found %d; try tokens=bytes",
          place, TokenArray.MAX_VOCABULARY, vocabulary);
    }
    long bytes = tokens * TokenArray.bytes(vocabulary);
    if (bytes > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected tokens of at most %d bytes, found %d",
          place, DataLimits.EXAMPLE_BYTES, bytes);
    }
    BoundedFile.requireMemory(place.toString(), bytes);
  }

  private static double tokensPerCharacter(TokenArray tokens, int from, Tokenizer tokenizer) {
    int[] characters = IntStream.range(0, tokenizer.size()).map(tokenizer::characters).toArray();
    long sum =
        IntStream.range(from, tokens.length()).mapToLong(i -> characters[tokens.get(i)]).sum();
    return (tokens.length() - from) / (double) Math.max(1, sum);
  }

  /** Which tokens no training example has. */
  private static String note(TokenArray tokens, int end, Tokenizer tokenizer) {
    BitSet trained = new BitSet();
    BitSet tested = new BitSet();
    for (int i = 0; i < tokens.length(); i++) {
      (i < end ? trained : tested).set(tokens.get(i));
    }
    tested.andNot(trained);
    if (tested.isEmpty()) {
      return "";
    }
    String example = new String(tokenizer.bytes(tested.nextSetBit(0)), StandardCharsets.UTF_8);
    return "tokens that the last tenth alone has: %d, as '%s'"
        .formatted(tested.cardinality(), Printable.shown(example));
  }
}
