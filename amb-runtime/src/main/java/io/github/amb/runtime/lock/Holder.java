package io.github.amb.runtime.lock;

import io.github.amb.core.file.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A process that holds a lock: one line of the lock's file, always {@value #BYTES} bytes long, so
 * that it can be overwritten in place.
 *
 * @param token drawn for each lock that is taken
 * @param beat grows as long as the process lives
 * @param pid number of the process on its machine
 * @param start its start time, as {@link BootIdentity#start} returns it
 * @param machine its machine's {@link BootIdentity#ID}
 * @param host name of its host
 */
record Holder(String token, long beat, long pid, String start, String machine, String host) {
  /** Length of a line in bytes, with its end. */
  static final int BYTES = 256;

  /** The line of a holder that has released the lock. */
  static final String FREE = "amb-lock free";

  private static final String HEAD = "amb-lock held";
  private static final int FIELDS = 8;

  /** This process as a holder. */
  static Holder self(String token) {
    long pid = ProcessHandle.current().pid();
    return new Holder(token, 0, pid, BootIdentity.start(pid), BootIdentity.ID, BootIdentity.HOST);
  }

  /** The holder in a line; null if the line is invalid. */
  static Holder parse(String line) {
    String[] words = line.strip().split(" ");
    boolean right = words.length == FIELDS && line.startsWith(HEAD + " ");
    if (!right || !words[3].matches("\\d{1,18}") || !words[4].matches("\\d{1,18}")) {
      return null;
    }
    long beat = Long.parseLong(words[3]);
    return new Holder(words[2], beat, Long.parseLong(words[4]), words[5], words[6], words[7]);
  }

  /** This holder after its next heartbeat. */
  Holder next() {
    return new Holder(token, beat + 1, pid, start, machine, host);
  }

  /** Whether the holder is on this machine, so that {@link #lives} is valid. */
  boolean isHere() {
    return machine.equals(BootIdentity.ID);
  }

  /** Whether a process of this machine lives. */
  boolean lives() {
    return !start.isEmpty() && start.equals(BootIdentity.start(pid));
  }

  /** The holder's line. */
  byte[] line() {
    return line(String.join(" ", HEAD, token, "" + beat, "" + pid, start, machine, host));
  }

  /** A text as a line of the right length. */
  static byte[] line(String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    byte[] line = Arrays.copyOf(words, BYTES);
    Arrays.fill(line, Math.min(words.length, BYTES), BYTES, (byte) ' ');
    line[BYTES - 1] = '\n';
    return line;
  }

  @Override
  public String toString() {
    return Printable.printable("process %s of host %s".formatted(pid, host));
  }
}
