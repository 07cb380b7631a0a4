package io.github.amb.core.codec;

import io.github.amb.core.engine.Uplink;

/** A codec around another one that sends later what the other one did not send. */
abstract class RememberingCodec implements Codec {
  private final Codec codec;

  /**
   * @param codec of which the contraction is taken
   */
  RememberingCodec(Codec codec) {
    this.codec = codec.contraction();
  }

  @Override
  public final boolean isUnbiased() {
    return false;
  }

  @Override
  public final boolean isAddable() {
    return codec.isAddable();
  }

  /** Of what is sent: what was not sent before, and the new. */
  @Override
  public final double errorBound(int... shape) {
    return codec.errorBound(shape);
  }

  @Override
  public final boolean carries(Uplink uplink) {
    return codec.carries(uplink);
  }

  @Override
  public final Codec receiver() {
    return codec.receiver();
  }

  @Override
  public final BlockPolicy policy() {
    return codec.policy();
  }

  @Override
  public final BlockCodec open(int... shape) {
    return open(codec.open(shape), Shapes.length(shape));
  }

  /**
   * One block with its memory.
   *
   * @param block the other codec's
   * @param length of the block
   */
  abstract BlockCodec open(BlockCodec block, int length);
}
