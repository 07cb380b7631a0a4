package io.github.amb.core.engine;

/**
 * A rank has sent what no rank should send. The frame is dropped; the run may go on without the
 * rank, which cannot be trusted any more.
 */
public final class MalformedFrameException extends LostException {
  private static final long serialVersionUID = 1L;

  private final int source;
  private final String reason;

  /**
   * @param source rank that sent the frame
   * @param reason what was expected of it, and what was found
   */
  public MalformedFrameException(int source, String reason) {
    super("malformed frame from rank " + source + ": " + reason);
    this.source = source;
    this.reason = reason;
  }

  public MalformedFrameException(int source, String reason, Throwable cause) {
    this(source, reason);
    initCause(cause);
  }

  /** Rank that sent the frame. */
  public int source() {
    return source;
  }

  /** What was expected of the frame, and what was found. */
  public String reason() {
    return reason;
  }

  /** The same, with another number for the rank. */
  public MalformedFrameException as(int rank) {
    return new MalformedFrameException(rank, reason, this);
  }
}
