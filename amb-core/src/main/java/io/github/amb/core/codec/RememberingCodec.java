package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.engine.Uplink;

/** A codec that sends later what another codec did not send. */
abstract class RememberingCodec implements Codec {
  private final Codec codec;

  /**
   * @param codec the other codec, of which {@link Codec#contraction} is used
   */
  RememberingCodec(Codec codec) {
    this.codec = codec.contraction();
  }

  /** The bound of the other codec. It applies to the sum of the new entries and the residual. */
  @Override
  public final double errorBound(int... shape) {
    return codec.errorBound(shape);
  }

  @Override
  public final boolean carries(Uplink uplink) {
    return codec.carries(uplink);
  }

  @Override
  public final boolean needsShape() {
    return codec.needsShape();
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
   * Opens one block.
   *
   * @param block the other codec's codec of the block
   * @param length number of entries of the block
   */
  abstract BlockCodec open(BlockCodec block, int length);
}
