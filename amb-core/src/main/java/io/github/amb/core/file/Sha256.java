package io.github.amb.core.file;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 of bytes and files. */
public final class Sha256 {
  private Sha256() {}

  /** Lower-case hexadecimal digest of bytes. */
  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(digest().digest(bytes));
  }

  /** Lower-case hexadecimal digest of a file's bytes. */
  public static String of(Path file) throws IOException {
    MessageDigest digest = digest();
    add(file, digest);
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Whether a file that is to be fetched is there already.
   *
   * @param expected its digest
   * @throws UsageException if another file has its name, which may be the user's
   */
  public static boolean isThere(Path file, String expected) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    String found = of(file);
    if (!found.equals(expected)) {
      throw new UsageException(
          "%s: expected SHA-256 %s, found %s; move it away", file, expected, found);
    }
    return true;
  }

  /** Digest of the names, relative to {@code folder}, and the contents of files. */
  public static String of(Path folder, List<Path> files) throws IOException {
    MessageDigest digest = digest();
    for (Path file : files) {
      digest.update((folder.relativize(file) + "\0").getBytes(StandardCharsets.UTF_8));
      add(file, digest);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Adds a file's bytes to a digest. */
  private static void add(Path file, MessageDigest digest) throws IOException {
    byte[] buffer = new byte[1 << 15];
    try (InputStream in = BoundedFile.open(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
  }

  /** A new digest without bytes. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
