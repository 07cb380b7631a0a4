package io.github.amb.runtime.mpj;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts what one end of a connection sends, or decrypts what the other end has sent: one
 * direction, with a key of its own. A message is sealed as records of at most 64 KiB, by AES-GCM
 * (NIST SP 800-38D) with a key of 256 bits and a tag of 128 bits each. The initialization vector is
 * the number of the record in its direction, and whether it is a message's last. So nothing can be
 * altered, left out, repeated, moved or cut off without notice. Used by one thread at a time.
 */
public final class Seal {
  /** Bytes that are added to each record. */
  public static final int TAG_BYTES = 16;

  /** Two copies of a record and its cipher stay in a core's second-level cache. */
  private static final int RECORD_BYTES = 64 << 10;

  /** The cipher is much slower on memory outside the heap. */
  private static final ThreadLocal<byte[][]> WORK =
      ThreadLocal.withInitial(() -> new byte[2][RECORD_BYTES + TAG_BYTES]);

  private final SecretKeySpec key;
  private final Cipher cipher;
  private final ByteBuffer vector = ByteBuffer.allocate(12);
  private long count;

  /**
   * @param key 32 bytes, of this direction of this connection alone; copied
   */
  public Seal(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES-GCM", e);
    }
  }

  /** Length of a sealed message of {@code bytes} bytes. */
  public static int sealedBytes(int bytes) {
    return bytes + TAG_BYTES * Math.max(1, (bytes + RECORD_BYTES - 1) / RECORD_BYTES);
  }

  /** Length of a message whose sealed form has at most {@code sealed} bytes. */
  static int plainBytes(int sealed) {
    return sealed - TAG_BYTES * (sealed / (RECORD_BYTES + TAG_BYTES) + 1);
  }

  /**
   * Seals the first {@code bytes} bytes of {@code plain}, which is not modified.
   *
   * @param sealed receives them from its index 0
   * @return {@link #sealedBytes}
   */
  public int seal(ByteBuffer plain, int bytes, ByteBuffer sealed) {
    try {
      return convert(Cipher.ENCRYPT_MODE, plain, bytes, sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Opens a message where it is. If it is not the next one as it was sealed, no later one can be
   * opened either.
   *
   * @param bytes length of the sealed message
   * @return length of the message, which begins at index 0; −1 if it is not the next one
   */
  public int open(ByteBuffer sealed, int bytes) {
    try {
      return convert(Cipher.DECRYPT_MODE, sealed, bytes, sealed);
    } catch (AEADBadTagException e) {
      count = Long.MIN_VALUE; // No record has been sealed with such a number.
      return -1;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private int convert(int mode, ByteBuffer from, int bytes, ByteBuffer to)
      throws GeneralSecurityException {
    byte[][] work = WORK.get();
    int most = mode == Cipher.ENCRYPT_MODE ? RECORD_BYTES : RECORD_BYTES + TAG_BYTES;
    int read = 0;
    int written = 0;
    do {
      int part = Math.min(most, bytes - read);
      from.get(read, work[0], 0, part);
      read += part;
      if (mode == Cipher.DECRYPT_MODE && part < TAG_BYTES) {
        throw new AEADBadTagException("a record that is too short"); // Ciphers differ in this.
      }
      vector.putInt(0, read < bytes ? 0 : 1).putLong(Integer.BYTES, count++);
      cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, vector.array()));
      int made = cipher.doFinal(work[0], 0, part, work[1], 0);
      to.put(written, work[1], 0, made);
      written += made;
    } while (read < bytes);
    return written;
  }
}
