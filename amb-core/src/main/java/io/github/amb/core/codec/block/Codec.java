package io.github.amb.core.codec.block;

import io.github.amb.core.engine.Uplink;
import io.github.amb.core.update.UpdateHook;
import java.util.Optional;

/**
 * A compressor: defines how the blocks of a flat vector are encoded, and bounds the error.
 * Instances hold options only and may be shared by threads. {@link BlockCodec}s hold the state that
 * is kept between messages.
 */
public interface Codec {
  /** Whether E[C(x)] = x for every x, where C(x) is the decoded value of x; false by default. */
  default boolean isUnbiased() {
    return false;
  }

  /**
   * Upper bound of E‖C(x) − x‖² / ‖x‖²: the relative variance of an unbiased codec, or 1 − δ of a
   * contraction.
   *
   * @param shape dimensions of a block
   * @return infinity if no bound is known
   */
  double errorBound(int... shape);

  /**
   * Creates the codec of one block at one rank, without state from earlier messages.
   *
   * @param shape dimensions of the block
   */
  BlockCodec open(int... shape);

  /**
   * The form of this codec to which error feedback is applied, and which encodes parameters. Its
   * {@link #errorBound} is at most 1, so that residuals stay bounded, or infinite if no bound is
   * known.
   */
  default Codec contraction() {
    return isUnbiased() && Double.isFinite(errorBound(1)) ? new Contracted(this) : this;
  }

  /** The codec that a receiver opens; it keeps no state for sending. */
  default Codec receiver() {
    return this;
  }

  /** The blocks that this codec encodes unless the user sets otherwise. */
  default BlockPolicy policy() {
    return BlockPolicy.LARGE_WEIGHTS;
  }

  /** The master's part in this codec, applied to every mean gradient; empty for most codecs. */
  default Optional<UpdateHook> hook() {
    return Optional.empty();
  }

  /**
   * Whether this codec can transmit vectors of the given kind.
   *
   * @param uplink what workers send
   */
  default boolean carries(Uplink uplink) {
    return !uplink.isExact();
  }

  /**
   * Whether the codec reads a block as a matrix, so that a part of the block is not encoded alike.
   */
  default boolean needsShape() {
    return false;
  }

  /** Whether the master divides each received entry by the entry's staleness. */
  default boolean isStalenessAware() {
    return false;
  }
}
