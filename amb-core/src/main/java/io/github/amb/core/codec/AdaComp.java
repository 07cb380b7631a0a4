package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.Codec;

/**
 * Sends the entries of largest magnitude of every trainable block, biases included. The other
 * entries are discarded: no residual is kept. The master divides each received entry by its {@code
 * Staleness}.
 *
 * <p>Hardy, Le Merrer, Sericola: "Distributed Deep Learning on Edge-Devices: Feasibility via
 * Adaptive Compression", IEEE NCA 2017.
 */
final class AdaComp implements Codec {
  private final TopK largest;

  /**
   * @param ratio c, share of entries to send, above 0, up to 1
   */
  AdaComp(double ratio) {
    largest = new TopK(ratio, false, 0);
  }

  @Override
  public double errorBound(int... shape) {
    return largest.errorBound(shape);
  }

  @Override
  public BlockPolicy policy() {
    return BlockPolicy.ALL;
  }

  @Override
  public boolean isStalenessAware() {
    return true;
  }

  @Override
  public BlockCodec open(int... shape) {
    return largest.open(shape);
  }
}
