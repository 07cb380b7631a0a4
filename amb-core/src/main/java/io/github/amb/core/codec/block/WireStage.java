package io.github.amb.core.codec.block;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** A general compressor that is applied to all encoded blocks of a message. */
public enum WireStage {
  /** No compressor. */
  NONE {
    @Override
    public void pack(ByteSink blocks, ByteSink message) {
      message.putBytes(blocks.bytes(), 0, blocks.length());
    }

    @Override
    public void unpack(byte[] message, int from, int to, byte[] blocks, int length) {
      System.arraycopy(message, from, blocks, 0, length);
    }
  },

  /** Zstandard at its fastest regular level. */
  ZSTD {
    private static final int LEVEL = 1;

    @Override
    public void pack(ByteSink blocks, ByteSink message) {
      int most = Math.toIntExact(Zstd.compressBound(blocks.length()));
      int at = message.skip(most);
      long size =
          Zstd.compressByteArray(
              message.bytes(), at, most, blocks.bytes(), 0, blocks.length(), LEVEL);
      message.truncate(at + (int) size);
    }

    @Override
    public void unpack(byte[] message, int from, int to, byte[] blocks, int length) {
      try {
        long size = Zstd.decompressByteArray(blocks, 0, length, message, from, to - from);
        if (size != length) {
          throw Zstd.isError(size)
              ? new MalformedEncodingException("expected zstd, found: " + Zstd.getErrorName(size))
              : wrongLength(length, size);
        }
      } catch (ZstdException e) {
        throw new MalformedEncodingException("expected zstd, found: " + e.getMessage(), e);
      }
    }
  },

  /** LZ4. */
  LZ4 {
    private static final LZ4Factory FACTORY = LZ4Factory.fastestJavaInstance();

    @Override
    public void pack(ByteSink blocks, ByteSink message) {
      var compressor = FACTORY.fastCompressor();
      int most = compressor.maxCompressedLength(blocks.length());
      int at = message.skip(most);
      int size = compressor.compress(blocks.bytes(), 0, blocks.length(), message.bytes(), at, most);
      message.truncate(at + size);
    }

    @Override
    public void unpack(byte[] message, int from, int to, byte[] blocks, int length) {
      try {
        int size =
            FACTORY.safeDecompressor().decompress(message, from, to - from, blocks, 0, length);
        if (size != length) {
          throw wrongLength(length, size);
        }
      } catch (LZ4Exception e) {
        throw new MalformedEncodingException("expected LZ4, found: " + e.getMessage(), e);
      }
    }
  };

  /**
   * Compresses {@code blocks}, which is not modified, and appends the result to {@code message}.
   */
  public abstract void pack(ByteSink blocks, ByteSink message);

  /**
   * Decompresses {@code message[from]} to {@code message[to − 1]}.
   *
   * @param blocks receives {@code length} bytes
   * @throws MalformedEncodingException if they are not {@code length} compressed bytes
   */
  public abstract void unpack(byte[] message, int from, int to, byte[] blocks, int length);

  private static MalformedEncodingException wrongLength(long expected, long found) {
    return new MalformedEncodingException(
        "expected %d bytes of blocks, found %d".formatted(expected, found));
  }
}
