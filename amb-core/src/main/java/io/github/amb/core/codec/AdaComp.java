package io.github.amb.core.codec;

/**
 * The largest entries of every trainable block, biases too, and at the master {@link Staleness}
 * entry by entry. What is not sent is forgotten.
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
    largest = new TopK(ratio, false);
  }

  @Override
  public boolean isUnbiased() {
    return false;
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
