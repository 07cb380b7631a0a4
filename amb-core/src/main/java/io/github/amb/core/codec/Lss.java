package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.random.CodecRandom;
import java.util.Arrays;

/**
 * Replaces every entry's value by the mean of the entries of its cluster that hash to the same
 * bucket. A message has the sum of each bucket and the entropy-coded cluster of every entry.
 *
 * <p>Ge et al.: "CASQ: Accelerate Distributed Deep Learning with Sketch-Based Gradient
 * Quantization", IEEE CLUSTER 2021. The paper finds clusters by k-means and broadcasts them, so
 * that tables can be added. Here clusters are the fixed {@link Octaves}, Zstandard is the entropy
 * coder, and the hash is the same in every process.
 */
final class Lss implements Codec {
  private static final int TINY = 1000;

  private final double ratio;
  private final Octaves octaves;

  /**
   * @param ratio buckets per entry, above 0, up to 1
   * @param clusters clusters per octave and sign: 1, 2 or 4
   */
  Lss(double ratio, int clusters) {
    this.ratio = ratio;
    octaves = new Octaves(Integer.numberOfTrailingZeros(clusters));
  }

  /**
   * The variance within a cluster is at most a quarter of its squared width. A block not larger
   * than its message is sent in 32 bits per entry.
   */
  @Override
  public double errorBound(int... shape) {
    return Shapes.length(shape) <= TINY
        ? 0
        : Math.pow(0.25, octaves.bits() + 1) + ClusterCodes.MAX_DROPPED;
  }

  @Override
  public BlockCodec open(int... shape) {
    int length = Shapes.length(shape);
    return length <= TINY ? Plain.INSTANCE.open(shape) : new Buckets(length);
  }

  /** One block's buckets. */
  private final class Buckets implements BlockCodec {
    private final int length;
    private final BucketTable table = new BucketTable(octaves);
    private final ClusterPlane plane;
    private ClusterCodes codes; // null until a block is encoded
    private byte[] sent = {};
    private int[] places = {};
    private long[] entries = {};
    private float[] means = {};

    Buckets(int length) {
      this.length = length;
      plane = new ClusterPlane(length);
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      if (codes == null) {
        codes = new ClusterCodes(octaves);
        sent = new byte[length];
      }
      codes.fit(values, from, length);
      table.share(codes, ratio * length);
      for (int i = 0; i < length; i++) {
        byte code = codes.of(values[from + i]);
        sent[i] = code;
        table.add(table.bucket(code & 0xFF, i), values[from + i]);
      }
      table.putSizes(out);
      ClusterPlane.put(sent, out);
      table.putSums(out);
    }

    private void get(ByteSource in) {
      table.getSizes(in);
      byte[] received = plane.get(in);
      reserve();
      locate(received);
      for (int i = 0; i < length; i++) {
        entries[places[i]]++;
      }
      table.getSums(in, entries);
    }

    private void reserve() {
      if (places.length < length) {
        places = new int[length];
      }
      if (entries.length < table.buckets()) {
        entries = new long[table.buckets()];
        means = new float[table.buckets()];
      }
      Arrays.fill(entries, 0, table.buckets(), 0);
    }

    /** Computes the bucket of every entry. */
    private void locate(byte[] received) {
      for (int i = 0; i < length; i++) {
        int code = received[i] & 0xFF;
        if (!table.has(code)) {
          throw new MalformedEncodingException(
              "expected a cluster with buckets, found code " + code);
        }
        places[i] = table.bucket(code, i);
      }
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      get(in);
      table.means(entries, means);
      for (int i = 0; i < length; i++) {
        values[from + i] = means[places[i]];
      }
      MalformedEncodingException.expectFinite(values, from, length);
    }
  }
}
