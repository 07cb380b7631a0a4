package io.github.amb.bench.compute;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.harness.Table;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;

/** Bias and error of codecs over many draws of one small vector. */
final class CodecStatistics {
  private static final int ROWS = 32;
  private static final int COLUMNS = 32;
  private static final Layout LAYOUT =
      new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, ROWS, COLUMNS)));

  private static final int DIRECTIONS = 32;

  private final Coding coding;
  private final float[] values = Vectors.laplace(LAYOUT.size());
  private final int[][] directions = new int[DIRECTIONS][values.length];
  private final double[] sum = new double[DIRECTIONS];
  private final double[] square = new double[DIRECTIONS];
  private double error;

  private CodecStatistics(String codec, int draws) {
    coding = Codecs.parse(codec);
    var random = Vectors.STREAMS.stream("directions", 0, 0);
    for (int[] direction : directions) {
      Arrays.setAll(direction, i -> random.nextBoolean() ? 1 : -1);
    }
    VectorEncoder encoder = new VectorEncoder(LAYOUT, coding, Vectors.STREAMS, "uplink", 1);
    VectorDecoder decoder = new VectorDecoder(LAYOUT, coding, Vectors.STREAMS, "uplink");
    float[] decoded = new float[values.length];
    for (int draw = 0; draw < draws; draw++) {
      int length = encoder.encode(values, draw);
      decoder.decode(encoder.message(), length, draw, decoded);
      add(decoded, draws);
    }
  }

  private void add(float[] decoded, int draws) {
    for (int d = 0; d < DIRECTIONS; d++) {
      double off = 0;
      for (int i = 0; i < values.length; i++) {
        off += directions[d][i] * ((double) decoded[i] - values[i]);
      }
      sum[d] += off;
      square[d] += off * off;
    }
    for (int i = 0; i < values.length; i++) {
      error += Math.pow((double) decoded[i] - values[i], 2) / draws;
    }
  }

  /**
   * The largest |z| of the mean error in several random directions of signs, under the hypothesis
   * of no bias. Single entries would not do: many are sent too rarely for a mean.
   */
  private double worstZ(int draws) {
    double worst = 0;
    double rounding = 1e-7 * Math.sqrt(norm());
    for (int d = 0; d < DIRECTIONS; d++) {
      double mean = sum[d] / draws;
      double variance = Math.max(0, square[d] / draws - mean * mean);
      worst = Math.max(worst, Math.abs(mean) / (Math.sqrt(variance / draws) + rounding));
    }
    return worst;
  }

  private double norm() {
    double sum = 0;
    for (float value : values) {
      sum += (double) value * value;
    }
    return sum;
  }

  /** One row per codec that has no state. */
  static Table table(List<String> codecs, int draws) {
    Table table =
        new Table(
            format("%,d draws of one vector of %d entries", draws, LAYOUT.size()),
            "codec unbiased largest_z relative_error stated_bound");
    for (String codec : codecs) {
      CodecStatistics found = new CodecStatistics(codec, draws);
      var stated = found.coding.codec();
      table.row(
          codec,
          stated.isUnbiased() ? "yes" : "no",
          found.worstZ(draws),
          found.error / found.norm(),
          stated.errorBound(ROWS, COLUMNS));
    }
    return table;
  }
}
