package io.github.amb.core.gradient;

import java.util.Arrays;

/**
 * A named, contiguous part of the flat parameter vector.
 *
 * @param name layer and parameter, such as {@code conv1.W}
 * @param kind how the master treats it
 * @param offset index of its first entry in the flat vector
 * @param shape its dimensions; their product is {@link #length}
 */
public record Block(String name, Kind kind, int offset, int... shape) {
  /** How the master treats a block. */
  public enum Kind {
    /** Trainable; weight decay applies. */
    WEIGHT,
    /** Trainable; weight decay does not apply. */
    BIAS,
    /**
     * Not trainable: the "gradient" is an update to subtract, averaged over examples. The master
     * divides that of a stale result by 1 + its staleness. An example is the running mean of batch
     * normalization.
     */
    RUNNING_STATISTIC
  }

  public Block {
    shape = shape.clone();
  }

  /** A copy of the dimensions. */
  @Override
  public int[] shape() {
    return shape.clone();
  }

  /** Number of parameters. */
  public int length() {
    int length = 1;
    for (int dimension : shape) {
      length = Math.multiplyExact(length, dimension);
    }
    return length;
  }

  /** Index one past its last entry in the flat vector. */
  public int end() {
    return offset + length();
  }

  @Override
  public String toString() {
    return name + Arrays.toString(shape);
  }
}
