package io.github.amb.runtime.control;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Marks the records of one direction of one connection, so that none is taken that was changed,
 * left out, repeated, or said elsewhere. A record travels as its length, its bytes and its mark.
 */
final class Seal {
  /** Bytes of a mark. */
  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;
  private long count;

  /**
   * @param key of this direction of this connection alone
   */
  Seal(byte[] key) {
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** What travels of a record. */
  ByteBuffer seal(byte[] record) {
    ByteBuffer sealed = ByteBuffer.allocate(Integer.BYTES + record.length + BYTES);
    return sealed.putInt(record.length).put(record).put(mark(record)).flip();
  }

  /**
   * Checks the length of a record that is about to come.
   *
   * @return the bytes that follow, those of the mark included
   */
  static int following(int length) throws MalformedRecordException {
    if (length < 1 || length > RecordCodec.LONGEST) {
      throw new MalformedRecordException(
          "expected a record of 1 to %d bytes, found %d".formatted(RecordCodec.LONGEST, length));
    }
    return length + BYTES;
  }

  /** The record in what follows its length. */
  byte[] open(byte[] sealed) throws MalformedRecordException {
    byte[] record = Arrays.copyOf(sealed, sealed.length - BYTES);
    byte[] found = Arrays.copyOfRange(sealed, record.length, sealed.length);
    if (!MessageDigest.isEqual(mark(record), found)) {
      throw new MalformedRecordException(
          "expected the authentication code of record %d, found another".formatted(count));
    }
    return record;
  }

  private byte[] mark(byte[] record) {
    mac.update(ByteBuffer.allocate(Long.BYTES).putLong(++count).flip());
    return mac.doFinal(record);
  }
}
