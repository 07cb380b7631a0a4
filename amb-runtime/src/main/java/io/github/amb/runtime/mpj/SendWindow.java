package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.MalformedMessageException;

/**
 * Counts the messages that one rank has sent and the other's program has not consumed.
 *
 * <p>MPJ Express has no back-pressure, and a receiver stores what arrives. So a sender starts a
 * message only if the window admits it. A receiver reports what it has consumed in every chunk of
 * the other direction, or at once if {@link #isReportDue}. A receiver that has consumed everything
 * leaves less unreported than what blocks the sender; hence there is no deadlock.
 */
final class SendWindow {
  static final int SMALL_BYTES = Communicator.SMALL_BYTES;

  /** A large message is admitted while at most this many bytes are not reported as consumed. */
  static final long OPEN_BYTES = Communicator.WINDOW_BYTES;

  /** Maximum number of messages that are not reported as consumed. */
  static final int MESSAGES = Communicator.WINDOW_MESSAGES;

  private final long[] sizes = new long[MESSAGES];
  private long sent;
  private long consumed;
  private long bytes;

  /** Whether a message of {@code size} bytes of payload may be sent now. */
  synchronized boolean admits(long size) {
    return Communicator.admits(sent - consumed, bytes, size);
  }

  /** Counts a message of {@code size} bytes that is about to be sent. */
  synchronized void opened(long size) {
    sizes[(int) (sent++ % MESSAGES)] = size;
    bytes += size;
  }

  /**
   * Records the receiver's report.
   *
   * @param total number of messages that it has consumed since the start
   * @param from rank of the receiver, for the message
   * @throws MalformedMessageException if it reports messages that were not sent
   */
  synchronized void reported(long total, int from) {
    if (total < consumed || total > sent) {
      throw new MalformedMessageException(
          from, "expected %d to %d messages consumed, found %d".formatted(consumed, sent, total));
    }
    while (consumed < total) {
      bytes -= sizes[(int) (consumed++ % MESSAGES)];
    }
  }

  /** Whether a receiver must report at once what it has consumed since its last report. */
  static boolean isReportDue(long messages, long bytes) {
    return messages >= MESSAGES / 2 || bytes > OPEN_BYTES;
  }
}
