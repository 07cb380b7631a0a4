package io.github.amb.core.codec;

/** A hash of indices that gives the same values in every process. */
public final class FixedHash {
  private FixedHash() {}

  /**
   * Hashes {@code index} to one of {@code places} values, with MurmurHash3's finalizer and a
   * reduction by multiplication.
   *
   * @param seed selects one of several independent hashes
   * @return 0 to {@code places} − 1
   */
  public static int place(int index, int seed, int places) {
    int hash = index + seed * 0x9E3779B9;
    hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
    hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
    hash ^= hash >>> 16;
    return (int) ((hash & 0xFFFFFFFFL) * places >>> 32);
  }
}
