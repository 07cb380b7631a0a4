package io.github.amb.runtime.control;

import io.github.amb.runtime.mpj.RunSecret;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * Authenticates the records of one direction of one connection. A record that was changed, omitted,
 * repeated, or sent elsewhere is rejected. A record is sent as its length, its bytes and its
 * authentication code.
 */
final class Seal {
  /** Bytes of an authentication code. */
  static final int BYTES = 32;

  private final Mac mac;
  private long count;

  /**
   * @param key key of this direction of this connection alone
   */
  Seal(byte[] key) {
    mac = RunSecret.hmac(key);
  }

  /** The bytes to send for a record. */
  ByteBuffer seal(byte[] record) {
    ByteBuffer sealed = ByteBuffer.allocate(Integer.BYTES + record.length + BYTES);
    return sealed.putInt(record.length).put(record).put(mark(record)).flip();
  }

  /**
   * Checks the length of the next record.
   *
   * @return number of bytes that follow, including the authentication code
   * @throws MalformedRecordException if the length is not valid
   */
  static int following(int length) throws MalformedRecordException {
    if (length < 1 || length > RecordCodec.LONGEST) {
      throw new MalformedRecordException(
          "expected a record of 1 to %d bytes, found %d".formatted(RecordCodec.LONGEST, length));
    }
    return length + BYTES;
  }

  /**
   * The record in the bytes that follow its length.
   *
   * @throws MalformedRecordException if the authentication code is wrong
   */
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
