package io.github.amb.core.codec;

import io.github.amb.core.engine.Uplink;
import io.github.amb.core.update.UpdateHook;
import java.util.Optional;

/**
 * How the blocks of a flat vector are encoded, and what is known of the error. Instances hold
 * options only and may be shared; what is remembered between messages is in {@link BlockCodec}s.
 */
public interface Codec {
  /** Whether E[C(x)] = x for every x, C(x) being what is decoded of x. */
  boolean isUnbiased();

  /**
   * Whether the encoded blocks of several workers in one step can be added without decoding them:
   * whether the block codecs that a receiver opens are {@link AddableBlockCodec}s.
   */
  default boolean isAddable() {
    return false;
  }

  /**
   * Upper bound of E‖C(x) − x‖² / ‖x‖²: the variance of an unbiased codec, 1 − δ of a contraction.
   *
   * @param shape of a block
   * @return infinity if no bound is known
   */
  double errorBound(int... shape);

  /**
   * The codec of one block at one rank, with nothing remembered yet.
   *
   * @param shape of the block
   */
  BlockCodec open(int... shape);

  /**
   * The form of this codec that error feedback is applied to. Its {@link #errorBound} is at most 1,
   * so that residuals stay bounded, or infinite if no such form is known.
   */
  default Codec contraction() {
    return isUnbiased() && Double.isFinite(errorBound(1)) ? new Contracted(this) : this;
  }

  /** The codec that a receiver opens, who remembers nothing. */
  default Codec receiver() {
    return this;
  }

  /** Which blocks it is meant for. */
  default BlockPolicy policy() {
    return BlockPolicy.LARGE_WEIGHTS;
  }

  /** What the master does to mean gradients that come by this codec, if anything. */
  default Optional<UpdateHook> hook() {
    return Optional.empty();
  }

  /**
   * Whether it can carry vectors of this kind, so that training with it makes sense.
   *
   * @param uplink what workers send
   */
  default boolean carries(Uplink uplink) {
    return uplink != Uplink.COMBINATIONS;
  }

  /** Whether the master divides what it receives by its staleness, entry by entry. */
  default boolean isStalenessAware() {
    return false;
  }
}
