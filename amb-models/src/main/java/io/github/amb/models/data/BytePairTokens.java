package io.github.amb.models.data;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.GptBytePairEncodingParams;
import com.knuddels.jtokkit.api.IntArrayList;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;

/**
 * Tokens are sequences of bytes, made by merging pairs, as GPT-2's (Radford et al., "Language
 * Models are Unsupervised Multitask Learners", 2019).
 */
record BytePairTokens(Encoding encoding, int size) implements Tokenizer {
  /** GPT-2's tokens, with that of the end of a text. */
  private static final int GPT2 = 50_257;

  private static final int BYTES = 256;

  /** Characters of a text that are encoded at once, at least. */
  private static final int PART = 1 << 16;

  /** Where GPT-2 divides a text, before it merges. */
  private static final Pattern WORDS =
      Pattern.compile(
          "'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s+(?!\\S)|\\s+",
          Pattern.UNICODE_CHARACTER_CLASS);

  /** GPT-2's own vocabulary. */
  static BytePairTokens gpt2() {
    var registry = Encodings.newLazyEncodingRegistry();
    return new BytePairTokens(registry.getEncoding(EncodingType.R50K_BASE), GPT2);
  }

  /**
   * The vocabulary of a file of merges, as GPT-2's {@code merges.txt}: two tokens on each line, in
   * the order in which they are merged. The bytes are the first 256 tokens, in GPT-2's order, and
   * each merge makes the next one.
   *
   * @throws UsageException if it cannot be read, or is malformed
   */
  static BytePairTokens of(Path merges) {
    byte[] file =
        Reading.expect(
            merges, () -> BoundedFile.read(merges, "merges", DataLimits.VOCABULARY_BYTES));
    List<String> lines = new String(file, StandardCharsets.UTF_8).lines().toList();
    Map<String, byte[]> known = byteNames();
    Map<byte[], Integer> ranks = new LinkedHashMap<>();
    known.values().forEach(token -> ranks.put(token, ranks.size()));
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !(i == 0 && line.startsWith("#version"))) {
        String[] pair = line.split(" ", -1);
        if (pair.length != 2 || !known.containsKey(pair[0]) || !known.containsKey(pair[1])) {
          throw new UsageException(
              "%s: line %d: expected two tokens, each a byte or made by a line before, found '%s'",
              merges, i + 1, Printable.shown(line));
        }
        byte[] merged = joined(known.get(pair[0]), known.get(pair[1]));
        if (known.putIfAbsent(pair[0] + pair[1], merged) == null) {
          ranks.put(merged, ranks.size());
        }
      }
    }
    var registry = Encodings.newLazyEncodingRegistry();
    registry.registerGptBytePairEncoding(
        new GptBytePairEncodingParams(merges.toString(), WORDS, ranks, Map.of()));
    return new BytePairTokens(registry.getEncoding(merges.toString()).orElseThrow(), ranks.size());
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /**
   * The bytes by their names in such files, in GPT-2's order: visible characters of Latin-1 stand
   * for themselves, and come first; the others have the characters from U+0100 on.
   */
  private static Map<String, byte[]> byteNames() {
    Map<String, byte[]> names = new LinkedHashMap<>();
    for (int b = 0; b < BYTES; b++) {
      if (isVisible(b)) {
        names.put(Character.toString(b), new byte[] {(byte) b});
      }
    }
    int next = BYTES;
    for (int b = 0; b < BYTES; b++) {
      if (!isVisible(b)) {
        names.put(Character.toString(next++), new byte[] {(byte) b});
      }
    }
    return names;
  }

  private static boolean isVisible(int b) {
    return b > ' ' && b <= '~' || b > 0xa0 && b != 0xad;
  }

  @Override
  public int[] encode(String text) {
    return encoding.encodeOrdinary(text).toArray();
  }

  @Override
  public byte[] bytes(int token) {
    IntArrayList one = new IntArrayList(1);
    one.add(token);
    return encoding.decodeBytes(one);
  }

  @Override
  public void read(Path file, IntConsumer symbols) throws IOException {
    StringBuilder part = new StringBuilder();
    Utf8Text.forEach(
        file,
        c -> {
          // No token goes across a space or a line end after a letter.
          boolean ends = c == ' ' || c == '\n';
          int length = part.length();
          if (ends && length >= PART && Character.isLetterOrDigit(part.charAt(length - 1))) {
            encode(part, symbols);
          }
          part.append(c);
        });
    encode(part, symbols);
  }

  private void encode(StringBuilder part, IntConsumer symbols) {
    for (int token : encode(part.toString())) {
      symbols.accept(token);
    }
    part.setLength(0);
  }
}
