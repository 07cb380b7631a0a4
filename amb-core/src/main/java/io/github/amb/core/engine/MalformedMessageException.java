package io.github.amb.core.engine;

/**
 * A rank has sent a message that no rank should send. The message is dropped. The run may continue
 * without the rank, which is faulty.
 */
public final class MalformedMessageException extends LostException {
  private final int source;
  private final String reason;

  /**
   * @param source rank that sent the message
   * @param reason what was expected of it, and what was found
   */
  public MalformedMessageException(int source, String reason) {
    super("malformed message from rank " + source + ": " + reason);
    this.source = source;
    this.reason = reason;
  }

  public MalformedMessageException(int source, String reason, Throwable cause) {
    this(source, reason);
    initCause(cause);
  }

  /** Rank that sent the message. */
  public int source() {
    return source;
  }

  /** What was expected of the message, and what was found. */
  public String reason() {
    return reason;
  }

  /** This exception with {@code rank} in place of {@link #source}. */
  public MalformedMessageException as(int rank) {
    return new MalformedMessageException(rank, reason, this);
  }
}
