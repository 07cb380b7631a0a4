package io.github.amb.core.random;

import java.nio.charset.StandardCharsets;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Derives every random choice of a run from its seed. A stream has a purpose, a rank and a step. So
 * an additional draw in one place does not change the draws in another.
 */
public final class Streams {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final long seed;

  public Streams(long seed) {
    this.seed = seed;
  }

  /**
   * Seed of the stream {@code purpose} at {@code rank} and {@code step}.
   *
   * <p>The seed and the three parts are combined, one after the other, by the finalizer of
   * SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
   */
  public long seed(String purpose, int rank, long step) {
    long hash = seed;
    for (byte b : purpose.getBytes(StandardCharsets.UTF_8)) {
      hash = mix(hash + GOLDEN_GAMMA + b);
    }
    return mix(mix(hash + GOLDEN_GAMMA + rank) + GOLDEN_GAMMA + step);
  }

  /** A new generator for the stream {@code purpose} at {@code rank} and {@code step}. */
  public UniformRandomProvider stream(String purpose, int rank, long step) {
    return RandomSource.XO_SHI_RO_256_PP.create(seed(purpose, rank, step));
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
