package io.github.amb.models.graph;

import org.apache.commons.rng.UniformRandomProvider;

/** The source of layers' random draws, with one stream per partition. */
public final class DropoutRandom {
  private UniformRandomProvider stream;

  public void from(UniformRandomProvider stream) {
    this.stream = stream;
  }

  /** Fills an array with {@code 1 / keep}, with probability {@code keep} per entry, otherwise 0. */
  public void mask(float[] target, int length, double keep) {
    // Each draw of 64 bits serves two entries.
    long threshold = (long) (keep * (1L << 32));
    float scale = (float) (1 / keep);
    for (int i = 0; i < length; i += 2) {
      long bits = stream.nextLong();
      target[i] = (bits & 0xffffffffL) < threshold ? scale : 0f;
      if (i + 1 < length) {
        target[i + 1] = bits >>> 32 < threshold ? scale : 0f;
      }
    }
  }
}
