package io.github.amb.models.data;

import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Each character (code point) is a token. The vocabulary has the characters of the whole text, in
 * their order.
 */
final class CharacterTokens implements Tokenizer {
  private final int[] characters;

  /** Token of each character. */
  private final int[] tokens;

  /**
   * @param characters code points that have a token
   */
  CharacterTokens(BitSet characters) {
    this.characters = characters.stream().toArray();
    tokens = new int[characters.length()];
    Arrays.fill(tokens, -1);
    for (int token = 0; token < this.characters.length; token++) {
      tokens[this.characters[token]] = token;
    }
  }

  @Override
  public Tokenizer of(BitSet symbols) {
    return new CharacterTokens(symbols);
  }

  @Override
  public int size() {
    return characters.length;
  }

  @Override
  public int token(int symbol) {
    return symbol < tokens.length ? tokens[symbol] : -1;
  }

  @Override
  public int[] encode(String text) {
    int[] codes = text.codePoints().toArray();
    int[] encoded = Arrays.stream(codes).map(this::token).toArray();
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] < 0) {
        throw new UsageException(
            "character %d: expected one of the %d characters of the text that was learned, found '%s' (U+%04X)",
            i + 1, size(), Printable.printable(Character.toString(codes[i])), codes[i]);
      }
    }
    return encoded;
  }

  @Override
  public byte[] bytes(int token) {
    return Character.toString(characters[token]).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void read(Path file, IntConsumer symbols) throws IOException {
    char[] high = new char[1];
    Utf8Text.forEach(
        file,
        c -> {
          if (Character.isHighSurrogate(c)) {
            high[0] = c;
          } else {
            symbols.accept(Character.isLowSurrogate(c) ? Character.toCodePoint(high[0], c) : c);
          }
        });
  }
}
