package io.github.amb.models.data;

/** Tokens, in a byte each if there are at most 256 of them, otherwise in two. */
final class TokenArray {
  /** Maximum size of a vocabulary. */
  static final int MAX_VOCABULARY = 1 << Character.SIZE;

  private final byte[] bytes;
  private final char[] pairs;
  private int filled;

  /**
   * @param length number of tokens
   * @param vocabulary size of the vocabulary, up to {@link #MAX_VOCABULARY}
   */
  TokenArray(int length, int vocabulary) {
    boolean small = vocabulary <= 1 << Byte.SIZE;
    bytes = small ? new byte[length] : null;
    pairs = small ? null : new char[length];
  }

  /** Bytes of memory of a token. */
  static int bytes(int vocabulary) {
    return vocabulary <= 1 << Byte.SIZE ? 1 : Character.BYTES;
  }

  int length() {
    return bytes == null ? pairs.length : bytes.length;
  }

  /** Number of tokens that have been added. */
  int filled() {
    return filled;
  }

  /** Sets the first token that has not been added; those after the last one are counted only. */
  void add(int token) {
    if (filled < length()) {
      if (bytes == null) {
        pairs[filled] = (char) token;
      } else {
        bytes[filled] = (byte) token;
      }
    }
    filled++;
  }

  int get(int index) {
    return bytes == null ? pairs[index] : bytes[index] & 0xff;
  }
}
