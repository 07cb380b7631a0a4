package io.github.amb.plots;

import io.github.amb.core.file.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes file names from foreign names: each is one part of a path, of bounded length. */
public final class FileNames {
  private static final int MAX_LENGTH = 80;
  private static final int MAX_START = 48;
  private static final int MAX_BYTES = 180;

  /** Number of bytes for a number and a hash. */
  private static final int EXTRA = 20;

  private FileNames() {}

  /**
   * Joins names by +. Characters other than letters, digits, dots, dashes and underscores are
   * replaced. A long list becomes its start, the number of names, and eight digits of its SHA-256.
   */
  public static String join(List<String> names) {
    String joined = String.join("+", names);
    String plain = plain(joined);
    return isShort(plain)
        ? plain
        : start(plain, MAX_START) + "-" + names.size() + "-" + hash(joined);
  }

  /**
   * Replaces characters other than letters, digits, dots, dashes and underscores in a name. A long
   * name becomes its start and eight digits of its SHA-256. The result is never empty and never
   * names another folder.
   */
  public static String part(String name) {
    String plain = plain(name);
    if (plain.matches("\\.{0,2}")) {
      return "_" + plain;
    }
    return isShort(plain) ? plain : start(plain, MAX_START) + "-" + hash(name);
  }

  private static String plain(String name) {
    return name.replaceAll("[^\\p{L}\\p{N}+._-]", "_");
  }

  /** Whether a name fits into a file system's 255 bytes. */
  private static boolean isShort(String name) {
    return name.length() <= MAX_LENGTH && bytes(name) <= MAX_BYTES;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The start of a name, cut between characters, at most {@code most} bytes. */
  private static String start(String name, int most) {
    int end = Math.min(most, name.length());
    while (end > 0
        && (Character.isHighSurrogate(name.charAt(end - 1))
            || bytes(name.substring(0, end)) > MAX_BYTES - EXTRA)) {
      end--;
    }
    return name.substring(0, end);
  }

  private static String hash(String text) {
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8)).substring(0, 8);
  }
}
