package io.github.amb.runtime.lock;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The content of a lock's newest file.
 *
 * @param number the file's number, which is never used twice
 * @param text its lines
 * @param holders the processes that hold the lock, in the order in which they took it; null for an
 *     invalid line
 */
record Lease(long number, String text, List<Holder> holders) {
  private static final int MAX_BYTES = 16 * Holder.BYTES;

  /** As they are written: without zeros before them. */
  private static final String NUMBER = "[1-9]\\d{0,17}";

  private static final int MAX_READS = 1000;

  /**
   * The newest file; null if there is none.
   *
   * @throws IOException if it cannot be read
   */
  static Lease newest(Path directory, String name) throws IOException {
    NoSuchFileException gone = null;
    for (int i = 0; i < MAX_READS; i++) {
      List<Long> numbers = numbers(directory, name);
      if (numbers.isEmpty()) {
        return null;
      }
      long number = numbers.get(numbers.size() - 1);
      try {
        return read(directory.resolve(name + number), number);
      } catch (NoSuchFileException e) {
        gone = e; // The current holder has made a newer file, and removed this one.
      }
    }
    throw new IOException(gone.getFile() + ": expected a lock, as its folder lists it", gone);
  }

  /** Numbers of a lock's files, ascending. */
  static List<Long> numbers(Path directory, String name) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> isOf(name, file))
          .map(file -> Long.valueOf(file.substring(name.length())))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whether a file of that name is one of a lock's files. */
  static boolean isOf(String lock, String file) {
    return file.startsWith(lock) && file.substring(lock.length()).matches(NUMBER);
  }

  private static Lease read(Path file, long number) throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new UsageException(file + ": expected a lock, found a symbolic link; remove it");
    }
    ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            BoundedFile.expectFileToWrite(file),
            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Read the next part.
      }
    }
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    return of(number, text);
  }

  static Lease of(long number, String text) {
    List<Holder> holders =
        (text.isEmpty() ? Stream.of("") : text.lines())
            .filter(line -> !line.strip().equals(Holder.FREE))
            .map(Holder::parse)
            .toList();
    return new Lease(number, text, holders);
  }

  /** Whether certainly no process holds the lock. */
  boolean isFree() {
    return holders.stream()
        .allMatch(holder -> holder != null && holder.isHere() && !holder.lives());
  }

  /** A holder that lives on this machine, or null. */
  Holder here() {
    return holders.stream()
        .filter(holder -> holder != null && holder.isHere() && holder.lives())
        .findFirst()
        .orElse(null);
  }

  /**
   * Whether the process that took the lock has ended, so that {@link #here} is about to end, too.
   */
  boolean isOrphaned() {
    Holder first = holders.get(0);
    return first != null && first.isHere() && !first.lives();
  }

  /** Whether a holder has that token. */
  boolean isOf(String token) {
    return holders.stream().anyMatch(holder -> holder != null && holder.token().equals(token));
  }

  /** Whether this is a later state of the same lock, written by a living holder. */
  boolean isBeatOf(Lease before) {
    return number == before.number
        && before.holders.get(0) != null
        && holders.get(0) != null
        && !text.equals(before.text);
  }

  /** The holder, for messages. */
  String who() {
    return holders.stream()
        .filter(Objects::nonNull)
        .map(Holder::toString)
        .findFirst()
        .orElse("an unknown process");
  }
}
