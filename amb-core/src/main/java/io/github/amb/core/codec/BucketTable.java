package io.github.amb.core.codec;

import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.MalformedEncodingException;
import java.util.Arrays;

/**
 * Hash buckets for the values of clusters. Each {@link ClusterCodes cluster code} has a power of
 * two of buckets. A bucket holds the sum of the {@link Octaves#place}s of its values.
 */
public final class BucketTable {
  private static final int MAX_LOG = 30;

  private final Octaves octaves;

  /**
   * Binary logarithm of each code's number of buckets, −1 for none. Code 0 has one bucket, of
   * zeros.
   */
  private final int[] logs = new int[ClusterCodes.MAX];

  private final int[] starts = new int[ClusterCodes.MAX + 1];
  private long[] sums = {};
  private int largest;

  public BucketTable(Octaves octaves) {
    this.octaves = octaves;
  }

  /**
   * Distributes {@code budget} empty buckets among the codes by the number and the magnitude of
   * their values.
   */
  public void share(ClusterCodes codes, double budget) {
    largest = codes.largest();
    int[] entries = codes.entries();
    double[] weights = new double[ClusterCodes.MAX];
    double total = 0;
    for (int code = 1; code < weights.length; code++) {
      weights[code] = entries[code] == 0 ? 0 : entries[code] * octaves.least(cluster(code));
      total += weights[code];
    }
    for (int code = 1; code < weights.length; code++) {
      int share = (int) Math.min(entries[code], budget * weights[code] / total);
      logs[code] = entries[code] == 0 ? -1 : log(Math.max(1, share));
    }
    arrange();
  }

  private static int log(int number) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
  }

  /** The cluster of a code's magnitudes: from the largest down, a positive and a negative code. */
  private int cluster(int code) {
    return largest - (code - 1 >> 1);
  }

  private void arrange() {
    for (int code = 0; code < logs.length; code++) {
      starts[code + 1] = starts[code] + (logs[code] < 0 ? 0 : 1 << logs[code]);
    }
    sums = sums.length < buckets() ? new long[buckets()] : sums;
    Arrays.fill(sums, 0, buckets(), 0);
  }

  /** Total number of buckets of all codes. */
  public int buckets() {
    return starts[logs.length];
  }

  /** Index of the bucket of entry {@code index} with code {@code code}. */
  public int bucket(int code, int index) {
    return starts[code] + FixedHash.place(index, 0, 1 << logs[code]);
  }

  /** Adds a value's place to a bucket. */
  public void add(int bucket, float value) {
    sums[bucket] += octaves.place(value);
  }

  /** Whether a code has buckets. */
  public boolean has(int code) {
    return logs[code] >= 0;
  }

  /** Appends the number of buckets of each code. */
  public void putSizes(ByteSink out) {
    int last = logs.length - 1;
    while (last > 0 && logs[last] < 0) {
      last--;
    }
    out.putCount(largest);
    out.putCount(last);
    for (int code = 1; code <= last; code++) {
      out.putByte(logs[code] + 1);
    }
  }

  /**
   * Reads the numbers of buckets that {@link #putSizes} appended; the buckets become empty.
   *
   * @throws MalformedEncodingException if they are out of range
   */
  public void getSizes(ByteSource in) {
    largest = in.getCount(octaves.count() - 1);
    int last = in.getCount(logs.length - 1);
    Arrays.fill(logs, -1);
    logs[0] = 0;
    long buckets = 1;
    for (int code = 1; code <= last; code++) {
      logs[code] = in.getByte() - 1;
      buckets += logs[code] < 0 ? 0 : 1L << logs[code];
      if (logs[code] > MAX_LOG || buckets > in.remaining()) {
        throw new MalformedEncodingException(
            "expected buckets that %d bytes can fill, found 2^%d"
                .formatted(in.remaining(), logs[code]));
      }
      if (logs[code] >= 0 && cluster(code) < octaves.first()) {
        throw new MalformedEncodingException("expected normal floats, found code " + code);
      }
    }
    arrange();
  }

  /** Appends the sum of each bucket. */
  public void putSums(ByteSink out) {
    for (int bucket = starts[1]; bucket < buckets(); bucket++) {
      out.putCount(sums[bucket]);
    }
  }

  /**
   * Reads the sums that {@link #putSums} appended.
   *
   * @param entries number of values in each bucket
   * @throws MalformedEncodingException if a sum is too large for its number of values
   */
  public void getSums(ByteSource in, long[] entries) {
    for (int bucket = starts[1]; bucket < buckets(); bucket++) {
      sums[bucket] = in.getSum(Octaves.LAST_PLACE * entries[bucket]);
    }
  }

  /**
   * Computes the mean value of each bucket.
   *
   * @param entries number of values in each bucket; not modified
   * @param means receives one mean per bucket
   */
  public void means(long[] entries, float[] means) {
    means[0] = 0;
    for (int code = 1; code < logs.length; code++) {
      int sign = (code & 1) == 1 ? 1 : -1;
      for (int bucket = starts[code]; bucket < starts[code + 1]; bucket++) {
        double place = (double) sums[bucket] / Math.max(1, entries[bucket]);
        means[bucket] = sign * octaves.at(cluster(code), place);
      }
    }
  }
}
