package io.github.amb.runtime.lock;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of a lock's newest file: a line of {@value #BYTES} bytes, so that it can be
 * overwritten in place, with the process that holds the lock.
 *
 * @param number the file's number, which is never used twice
 * @param text its content; older versions wrote further lines, which do not count
 */
record Lease(long number, String text) {
  /** Length of a line in bytes, with its end. */
  private static final int BYTES = 256;

  /** The line of a holder that has released the lock. */
  static final String FREE = "amb-lock free";

  private static final Pattern HELD =
      Pattern.compile(
          "amb-lock held (?<token>\\S+) \\d{1,18} (?<pid>\\d{1,18}) (?<start>\\S*) (?<machine>\\S+) (?<host>\\S+)\\s*");

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
    return Folder.names(directory).stream()
        .filter(file -> isOf(name, file))
        .map(file -> Long.valueOf(file.substring(name.length())))
        .sorted()
        .toList();
  }

  /** Whether a file of that name is one of a lock's files. */
  static boolean isOf(String lock, String file) {
    return file.startsWith(lock) && file.substring(lock.length()).matches(NUMBER);
  }

  private static Lease read(Path file, long number) throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new UsageException(file + ": expected a lock, found a symbolic link; remove it");
    }
    try (InputStream in =
        Files.newInputStream(BoundedFile.expectFileToWrite(file), LinkOption.NOFOLLOW_LINKS)) {
      return new Lease(number, new String(in.readNBytes(BYTES), StandardCharsets.UTF_8));
    }
  }

  /**
   * The line of a holder.
   *
   * @param token drawn for each lock that is taken
   * @param beat grows as long as the process lives
   * @param pid number of the process on its machine
   * @param start its start time, as {@link BootIdentity#start} returns it
   * @param machine its machine's {@link BootIdentity#ID}
   * @param host name of its host
   */
  static byte[] held(String token, long beat, long pid, String start, String machine, String host) {
    return line(
        String.join(" ", "amb-lock held", token, "" + beat, "" + pid, start, machine, host));
  }

  /** The line of this process as a holder. */
  static byte[] held(String token, long beat) {
    long pid = ProcessHandle.current().pid();
    return held(token, beat, pid, BootIdentity.start(pid), BootIdentity.ID, BootIdentity.HOST);
  }

  /** A text as a line of the right length. */
  static byte[] line(String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    byte[] line = Arrays.copyOf(words, BYTES);
    Arrays.fill(line, Math.min(words.length, BYTES), BYTES, (byte) ' ');
    line[BYTES - 1] = '\n';
    return line;
  }

  /** A field of the holder's line; empty if the lock is free or the line is invalid. */
  private Optional<String> field(String name) {
    Matcher held = HELD.matcher(text);
    return held.matches() ? Optional.of(held.group(name)) : Optional.empty();
  }

  private boolean isHere() {
    return field("machine").equals(Optional.of(BootIdentity.ID));
  }

  private boolean lives() {
    String start = BootIdentity.start(Long.parseLong(field("pid").orElseThrow()));
    return !start.isEmpty() && start.equals(field("start").orElseThrow());
  }

  /** Whether the lock was released, or its holder has ended on this machine. */
  boolean isFree() {
    return text.lines().findFirst().orElse("").strip().equals(FREE) || isHere() && !lives();
  }

  /** Number of a process that lives on this machine: the holder or its rank; 0 for none. */
  long here() {
    return !isHere()
        ? 0
        : lives()
            ? Long.parseLong(field("pid").orElseThrow())
            : BootIdentity.withVariable(RunLock.VARIABLE + "=" + field("token").orElseThrow());
  }

  /** Whether the holder has that token. */
  boolean isOf(String token) {
    return field("token").equals(Optional.of(token));
  }

  /** Whether this is a later state of the same lock, written by a living holder. */
  boolean isBeatOf(Lease before) {
    return number == before.number
        && before.field("token").isPresent()
        && field("token").isPresent()
        && !text.equals(before.text);
  }

  /** The holder, for messages. */
  String who() {
    return field("pid")
        .map(pid -> Printable.printable(process(pid, field("host").orElseThrow())))
        .orElse("an unknown process");
  }

  /** A process, for messages. */
  static String process(Object pid, String host) {
    return "process %s of host %s".formatted(pid, host);
  }
}
