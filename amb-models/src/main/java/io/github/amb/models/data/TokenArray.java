package io.github.amb.models.data;

import java.nio.ByteBuffer;

/**
 * Tokens, in a byte each if there are at most 256 of them, otherwise in two. They are outside the
 * heap, of which Java would use no more than two thirds for them.
 */
final class TokenArray {
  /** Maximum size of a vocabulary. */
  static final int MAX_VOCABULARY = 1 << Character.SIZE;

  private final int length;
  private final int width;
  private final ByteBuffer tokens;
  private int filled;

  /**
   * @param length number of tokens
   * @param vocabulary size of the vocabulary, up to {@link #MAX_VOCABULARY}
   */
  TokenArray(int length, int vocabulary) {
    this.length = length;
    width = bytes(vocabulary);
    tokens = ByteBuffer.allocateDirect(length * width);
  }

  /** Bytes of memory of a token. */
  static int bytes(int vocabulary) {
    return vocabulary <= 1 << Byte.SIZE ? 1 : Character.BYTES;
  }

  int length() {
    return length;
  }

  /** Number of tokens that have been added. */
  int filled() {
    return filled;
  }

  /** Sets the first token that has not been added; those after the last one are counted only. */
  void add(int token) {
    if (filled < length) {
      if (width == 1) {
        tokens.put(filled, (byte) token);
      } else {
        tokens.putChar(filled * width, (char) token);
      }
    }
    filled++;
  }

  int get(int index) {
    return width == 1 ? tokens.get(index) & 0xff : tokens.getChar(index * width);
  }
}
