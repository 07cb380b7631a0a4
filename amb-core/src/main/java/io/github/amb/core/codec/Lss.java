package io.github.amb.core.codec;

import com.github.luben.zstd.Zstd;

/**
 * Clusters and buckets: every entry's value is averaged with those of its cluster that hash to the
 * same bucket; the message has the buckets' means and the entropy-coded cluster of every entry.
 *
 * <p>Ge et al.: "CASQ: Accelerate Distributed Deep Learning with Sketch-Based Gradient
 * Quantization", IEEE CLUSTER 2021. Clusters are found anew for every message, Zstandard is the
 * entropy coder, and the hash is the same in every process.
 */
final class Lss implements Codec {
  private static final int TINY = 1000;
  private static final int MOST_CLUSTERS = 128;

  private final double ratio;
  private final int clusters;

  /**
   * @param ratio buckets per entry, above 0, up to 1
   * @param clusters for either sign, 2 to 64
   */
  Lss(double ratio, int clusters) {
    this.ratio = ratio;
    this.clusters = clusters;
  }

  @Override
  public boolean isUnbiased() {
    return false;
  }

  /** Workers' clusters differ, so that a table of one says nothing of another's entries. */
  @Override
  public boolean isAddable() {
    return false;
  }

  /** A mean is never further off than zero. */
  @Override
  public double errorBound(int... shape) {
    return 1;
  }

  @Override
  public BlockCodec open(int... shape) {
    int length = Shapes.length(shape);
    return length <= TINY ? Plain.INSTANCE.open(shape) : new Buckets(length);
  }

  /** One block's buckets. */
  private final class Buckets implements BlockCodec {
    private static final int LEVEL = 1;

    private final int length;
    private final byte[] ids;
    private Clusters model;
    private byte[] packed = {};

    Buckets(int length) {
      this.length = length;
      ids = new byte[length];
    }

    @Override
    public void encode(float[] values, int from, Draws draws, ByteSink out) {
      if (model == null) {
        model = new Clusters(clusters);
        packed = new byte[Math.toIntExact(Zstd.compressBound(length))];
      }
      model.fit(values, from, length, (int) (ratio * length));
      for (int i = 0; i < length; i++) {
        ids[i] = (byte) model.of(values[from + i]);
      }
      int[] starts = new int[model.count() + 1];
      for (int j = 0; j < model.count(); j++) {
        starts[j + 1] = starts[j] + model.buckets(j);
      }
      out.putCount(model.count());
      for (int j = 0; j < model.count(); j++) {
        out.putCount(model.buckets(j));
      }
      float[] means = means(values, from, starts);
      out.putFloats(means, 0, means.length);
      int size = (int) Zstd.compressByteArray(packed, 0, packed.length, ids, 0, length, LEVEL);
      out.putCount(size);
      out.putBytes(packed, 0, size);
    }

    private float[] means(float[] values, int from, int[] starts) {
      int buckets = starts[starts.length - 1];
      double[] sums = new double[buckets];
      int[] counts = new int[buckets];
      for (int i = 0; i < length; i++) {
        int at = place(i, starts);
        sums[at] += values[from + i];
        counts[at]++;
      }
      float[] means = new float[buckets];
      for (int at = 0; at < buckets; at++) {
        means[at] = (float) (sums[at] / Math.max(1, counts[at]));
      }
      return means;
    }

    private int place(int index, int[] starts) {
      int cluster = ids[index];
      return starts[cluster] + FixedHash.place(index, 0, starts[cluster + 1] - starts[cluster]);
    }

    @Override
    public void decode(ByteSource in, Draws draws, float[] values, int from) {
      int count = in.getCount(MOST_CLUSTERS);
      int[] starts = new int[count + 1];
      int most = length + count * (Clusters.LEAST_BUCKETS + 1);
      for (int j = 0; j < count; j++) {
        int buckets = in.getCount(most - starts[j]);
        if (buckets == 0) {
          throw new MalformedMessageException("expected a bucket in every cluster, found none");
        }
        starts[j + 1] = starts[j] + buckets;
      }
      if ((long) Float.BYTES * starts[count] > in.remaining()) {
        throw new MalformedMessageException(
            "expected %d means of buckets, found the end".formatted(starts[count]));
      }
      float[] means = new float[starts[count]];
      in.getFloats(means, 0, means.length);
      getIds(in, count);
      for (int i = 0; i < length; i++) {
        values[from + i] = means[place(i, starts)];
      }
    }

    private void getIds(ByteSource in, int count) {
      int size = in.getCount(in.remaining());
      int at = in.skip(size);
      WireStage.ZSTD.unpack(in.bytes(), at, at + size, ids, length);
      for (byte id : ids) {
        if (id < 0 || id >= count) {
          throw new MalformedMessageException(
              "expected a cluster below %d, found %d".formatted(count, id));
        }
      }
    }
  }
}
