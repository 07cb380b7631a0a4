package io.github.amb.core.codec;

/** A hash of indices that is the same in every process. */
final class FixedHash {
  private FixedHash() {}

  /**
   * A place for {@code index} among {@code places}: the finalizer of MurmurHash3, reduced by
   * multiplication.
   *
   * @param seed tells several hashes apart
   */
  static int place(int index, int seed, int places) {
    int hash = index + seed * 0x9E3779B9;
    hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
    hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
    hash ^= hash >>> 16;
    return (int) ((hash & 0xFFFFFFFFL) * places >>> 32);
  }
}
