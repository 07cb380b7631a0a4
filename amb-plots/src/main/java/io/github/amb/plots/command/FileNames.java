package io.github.amb.plots.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** File names from lists of names, of bounded length. */
final class FileNames {
  private static final int MAX_LENGTH = 80;
  private static final int MAX_START = 48;

  private FileNames() {}

  /**
   * The names joined by +, with other characters than letters, digits, dots, dashes and underscores
   * replaced. A long list is its start, the number of names, and eight digits of its SHA-256.
   */
  static String join(List<String> names) {
    String joined = String.join("+", names);
    String plain = joined.replaceAll("[^\\p{L}\\p{N}+._-]", "_");
    if (plain.length() <= MAX_LENGTH) {
      return plain;
    }
    String start = plain.substring(0, MAX_START);
    return start + "-" + names.size() + "-" + hash(joined);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
