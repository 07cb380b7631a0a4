package io.github.amb.models.data;

import java.nio.charset.StandardCharsets;

/** Makes the content of tar archives for tests. */
public final class TarFiles {
  private TarFiles() {}

  /** A plain file of an archive: its header, and its content, padded. */
  public static byte[] entry(String name, byte[] content) {
    byte[] entry = new byte[512 + (content.length + 511) / 512 * 512];
    put(entry, 0, name);
    put(entry, 124, "%011o".formatted(content.length));
    System.arraycopy(content, 0, entry, 512, content.length);
    return entry;
  }

  private static void put(byte[] entry, int start, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, entry, start, bytes.length);
  }
}
