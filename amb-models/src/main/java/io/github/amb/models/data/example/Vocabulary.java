package io.github.amb.models.data.example;

/** The tokens of a text. A model predicts the next one, so they are its classes, from 0. */
public interface Vocabulary {
  /** Number of tokens. */
  int size();

  /**
   * The tokens of a text.
   *
   * @throws io.github.amb.core.option.UsageException if it has a character that has no token
   */
  int[] encode(String text);

  /** The text of a token in UTF-8; a token may be a part of a character. */
  byte[] bytes(int token);

  /** Number of characters (code points) that begin in a token. */
  default int characters(int token) {
    int characters = 0;
    for (byte b : bytes(token)) {
      characters += (b & 0xc0) == 0x80 ? 0 : 1;
    }
    return characters;
  }
}
