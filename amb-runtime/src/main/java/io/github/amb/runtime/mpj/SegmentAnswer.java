package io.github.amb.runtime.mpj;

/**
 * A rank's answer to the announcement of a {@link SharedSegment}. The order is part of the wire
 * format.
 */
enum SegmentAnswer {
  /** Nothing was announced, or the announcement was not answered yet. */
  NONE,
  /** The segment is open. */
  YES,
  /** The segment cannot be opened here: send chunks. */
  NO
}
