package io.github.amb.core.codec;

import java.util.Arrays;

/**
 * Maps a block's values to one-byte cluster codes. Code 0 stands for values too small to matter.
 * From 1 on, clusters of positive and negative values alternate, largest magnitudes first.
 */
public final class ClusterCodes {
  /** Number of codes; they are 0 to this − 1. */
  static final int MAX = 256;

  /** The largest share of the block's ‖x‖² that code 0 may take. */
  public static final double MAX_DROPPED = 1.0 / 256;

  private final Octaves octaves;
  private final int[] histogram;
  private final byte[] ofSigned;
  private final int[] entries = new int[MAX];
  private int largest;

  public ClusterCodes(Octaves octaves) {
    this.octaves = octaves;
    histogram = new int[octaves.signed()];
    ofSigned = new byte[octaves.signed()];
  }

  /**
   * Chooses the codes of {@code length} finite values, from index {@code from} on; not modified.
   */
  public void fit(float[] values, int from, int length) {
    Arrays.fill(histogram, 0);
    for (int i = from; i < from + length; i++) {
      histogram[octaves.ofSigned(values[i])]++;
    }
    largest = octaves.count() - 1;
    while (largest > 0 && ofMagnitude(largest) == 0) {
      largest--;
    }
    Arrays.fill(entries, 0);
    Arrays.fill(ofSigned, (byte) 0);
    int least = least();
    for (int cluster = largest; cluster >= least; cluster--) {
      int code = 1 + 2 * (largest - cluster);
      assign(octaves.positive(cluster), code);
      assign(octaves.negative(cluster), code + 1);
    }
  }

  private void assign(int signed, int code) {
    ofSigned[signed] = (byte) code;
    entries[code] = histogram[signed];
  }

  private int ofMagnitude(int cluster) {
    return histogram[octaves.positive(cluster)] + histogram[octaves.negative(cluster)];
  }

  /** The smallest cluster that has a code. */
  private int least() {
    int least = Math.max(octaves.first(), largest - (MAX - 4) / 2);
    double norm = 0;
    for (int cluster = least; cluster <= largest; cluster++) {
      norm += ofMagnitude(cluster) * Math.pow(octaves.least(cluster), 2);
    }
    double dropped = 0;
    for (; least < largest; least++) {
      dropped += ofMagnitude(least) * Math.pow(octaves.least(least) + octaves.width(least), 2);
      if (dropped > MAX_DROPPED * norm) {
        break;
      }
    }
    return least;
  }

  /** The cluster of the block's largest magnitudes. */
  int largest() {
    return largest;
  }

  /** The code of a value. */
  public byte of(float value) {
    return ofSigned[octaves.ofSigned(value)];
  }

  /** Number of values of each code except 0. Not a copy. */
  int[] entries() {
    return entries;
  }
}
