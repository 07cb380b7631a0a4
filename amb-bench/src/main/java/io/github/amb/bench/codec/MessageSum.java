package io.github.amb.bench.codec;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.link.Coding;
import io.github.amb.core.codec.link.VectorAdder;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;

/** The sum of messages of several workers, added without decoding: its size and its error. */
final class MessageSum {
  private final Layout layout;
  private final Coding coding;
  private final float[] vectors;
  private final double bitsOfOne;
  private final double errorOfOne;
  private byte[] sum;

  MessageSum(String codec, String size, int workers) {
    layout = Vectors.layout(size);
    coding = Codecs.parse(codec);
    vectors = new float[layout.size()];
    sum = take(1);
    bitsOfOne = bits();
    errorOfOne = error();
    VectorAdder adder = new VectorAdder(layout, coding);
    for (int rank = 2; rank <= workers; rank++) {
      byte[] message = take(rank);
      int length = adder.add(sum, sum.length, message, message.length, 1);
      sum = Arrays.copyOf(adder.message(), length);
    }
  }

  /** Encodes a worker's vector and adds it to the exact sum; returns the message. */
  private byte[] take(int rank) {
    float[] values = Vectors.laplace(layout.size(), rank);
    for (int i = 0; i < values.length; i++) {
      vectors[i] += values[i];
    }
    VectorEncoder encoder = new VectorEncoder(layout, coding, Vectors.STREAMS, "uplink", rank);
    int length = encoder.encode(values, 1);
    return Arrays.copyOf(encoder.message(), length);
  }

  double bitsOfOne() {
    return bitsOfOne;
  }

  double errorOfOne() {
    return errorOfOne;
  }

  /** Size of the sum in bits per entry. */
  double bits() {
    return 8.0 * sum.length / layout.size();
  }

  /** Squared error of the sum, divided by its squared norm. */
  double error() {
    float[] decoded = new float[layout.size()];
    new VectorDecoder(layout, coding, Vectors.STREAMS, "uplink")
        .decode(sum, sum.length, 1, decoded);
    double error = 0;
    double norm = 0;
    for (int i = 0; i < decoded.length; i++) {
      error += Math.pow((double) decoded[i] - vectors[i], 2);
      norm += Math.pow(vectors[i], 2);
    }
    return error / norm;
  }
}
