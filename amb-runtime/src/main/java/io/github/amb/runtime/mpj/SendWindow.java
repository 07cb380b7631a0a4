package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.MalformedFrameException;

/**
 * The frames that one rank has sent to another and that the other's program has not consumed yet.
 *
 * <p>MPJ Express has no back-pressure, and a receiver stores what arrives. So a sender starts a
 * frame only if the window admits it, and a receiver reports what it has consumed in every chunk
 * that goes the other way, or at once if {@link #isReportDue}. A receiver that has consumed
 * everything leaves less unreported than what blocks the sender, hence no deadlock.
 */
final class SendWindow {
  /** Frames up to this many bytes of payload are admitted whatever is under way. */
  static final int SMALL_BYTES = 64 << 10;

  /** A large frame is admitted while at most this many bytes are not reported as consumed. */
  static final long OPEN_BYTES = 8L << 20;

  /** The most frames that are not reported as consumed. */
  static final int FRAMES = 64;

  private final long[] sizes = new long[FRAMES];
  private long sent;
  private long consumed;
  private long bytes;

  /** Whether a frame of {@code size} bytes of payload may be sent now. */
  synchronized boolean admits(long size) {
    return sent - consumed < FRAMES && (size <= SMALL_BYTES || bytes <= OPEN_BYTES);
  }

  /** Accounts for a frame that is about to be sent. */
  synchronized void opened(long size) {
    sizes[(int) (sent++ % FRAMES)] = size;
    bytes += size;
  }

  /**
   * Accounts for the receiver's report.
   *
   * @param total number of frames that it has consumed since the start
   * @param from the receiver, for the message
   * @throws MalformedFrameException if it reports frames that were not sent
   */
  synchronized void reported(long total, int from) {
    if (total < consumed || total > sent) {
      throw new MalformedFrameException(
          from, "expected %d to %d messages consumed, found %d".formatted(consumed, sent, total));
    }
    while (consumed < total) {
      bytes -= sizes[(int) (consumed++ % FRAMES)];
    }
  }

  /** Whether a receiver must report now that it has consumed this much since its last report. */
  static boolean isReportDue(long frames, long bytes) {
    return frames >= FRAMES / 2 || bytes > OPEN_BYTES;
  }
}
