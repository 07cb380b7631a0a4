package io.github.amb.models.data;

import java.nio.ByteBuffer;

/**
 * Tokens, in a byte each if there are at most 256 of them, otherwise in two. They are outside the
 * heap, of which Java would use no more than two thirds for them.
 */
final class TokenArray {
  /** Maximum size of a vocabulary. */
  static final int MAX_VOCABULARY = 1 << Character.SIZE;

  private final int width;
  private ByteBuffer tokens;
  private int length;

  /**
   * @param capacity tokens that are expected; more are accepted
   * @param vocabulary size of the vocabulary, up to {@link #MAX_VOCABULARY}
   */
  TokenArray(int capacity, int vocabulary) {
    width = bytes(vocabulary);
    tokens = ByteBuffer.allocateDirect(Math.max(1, capacity) * width);
  }

  /** Bytes of memory of a token. */
  static int bytes(int vocabulary) {
    return vocabulary <= 1 << Byte.SIZE ? 1 : Character.BYTES;
  }

  int length() {
    return length;
  }

  /** Number of tokens for which there is memory. */
  int capacity() {
    return tokens.capacity() / width;
  }

  /** Moves the tokens to memory for more of them. */
  void grow(int capacity) {
    tokens = ByteBuffer.allocateDirect(capacity * width).put(tokens.flip());
  }

  /** Adds a token, for which there must be memory. */
  void add(int token) {
    if (width == 1) {
      tokens.put((byte) token);
    } else {
      tokens.putChar((char) token);
    }
    length++;
  }

  int get(int index) {
    return width == 1 ? tokens.get(index) & 0xff : tokens.getChar(index * width);
  }
}
