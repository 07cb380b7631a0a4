package io.github.amb.models.data.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Extracts requested files from a {@code .tar.gz} archive.
 *
 * <p>Only requested names are written, and only to the given paths. The format is POSIX ustar:
 * headers of 512 bytes, contents padded to a multiple of 512.
 */
public final class TarGz {
  private static final int RECORD = 512;
  private static final int NAME_LENGTH = 100;
  private static final int SIZE_OFFSET = 124;
  private static final int SIZE_LENGTH = 12;

  private TarGz() {}

  /**
   * Extracts files.
   *
   * @param targets path of each file, by file name without folders
   * @throws IOException if the archive is malformed or lacks a file
   */
  public static void extract(Path archive, Map<String, Path> targets) throws IOException {
    int missing = targets.size();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(archive), 1 << 16)) {
      while (missing > 0) {
        byte[] header = readRecord(in, archive);
        long size = size(header, archive);
        Path target = targets.get(fileName(header));
        if (target == null) {
          in.skipNBytes(padded(size));
        } else {
          write(in, size, target);
          in.skipNBytes(padded(size) - size);
          missing--;
        }
      }
    }
  }

  private static byte[] readRecord(InputStream in, Path archive) throws IOException {
    byte[] header = in.readNBytes(RECORD);
    if (header.length < RECORD || header[0] == 0) {
      throw new EOFException(archive + ": the archive lacks files that it should have");
    }
    return header;
  }

  private static void write(InputStream in, long size, Path target) throws IOException {
    PartFile part = new PartFile(target);
    try {
      copy(in, size, target, part);
      part.finish();
    } finally {
      part.discard();
    }
  }

  private static void copy(InputStream in, long size, Path target, PartFile part)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (var out = part.create()) {
      for (long left = size; left > 0; ) {
        int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (count < 0) {
          throw new EOFException(target.getFileName() + ": the archive is truncated");
        }
        out.write(buffer, 0, count);
        left -= count;
      }
    }
  }

  private static String fileName(byte[] header) {
    String path = text(header, 0, NAME_LENGTH);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static long size(byte[] header, Path archive) throws IOException {
    String octal = text(header, SIZE_OFFSET, SIZE_LENGTH).trim();
    try {
      return Long.parseLong(octal, 8);
    } catch (NumberFormatException e) {
      throw new IOException(
          "%s: expected a size in octal, found '%s'".formatted(archive, octal), e);
    }
  }

  private static String text(byte[] header, int start, int length) {
    int end = start;
    while (end < start + length && header[end] != 0) {
      end++;
    }
    return new String(header, start, end - start, StandardCharsets.US_ASCII);
  }

  private static long padded(long size) {
    return (size + RECORD - 1) / RECORD * RECORD;
  }
}
