package io.github.amb.runtime.mpj;

/**
 * What a rank says to the offer of a {@link SharedSegment}. The order is part of the wire format.
 */
enum SegmentAnswer {
  /** Nothing has been offered, or not yet answered. */
  NONE,
  /** The shelf is open. */
  YES,
  /** It is not to be found here: send chunks. */
  NO
}
