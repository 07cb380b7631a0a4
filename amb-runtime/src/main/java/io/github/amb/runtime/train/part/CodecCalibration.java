package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.SimSettings.COST_PER_DECODED_ENTRY;
import static io.github.amb.runtime.config.SimSettings.COST_PER_ENCODED_ENTRY;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.random.Streams;
import io.github.amb.runtime.config.Settings;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Measures the costs of a run's codec on this machine, on a vector of normally distributed entries.
 */
final class CodecCalibration {
  private CodecCalibration() {}

  /** Settings in which the costs of encoding and decoding, if not given, are measured here. */
  static Settings measured(RunParts run, Layout layout, Settings settings) {
    Coding coding =
        run.codings().uplink().isNone() ? run.codings().downlink() : run.codings().uplink();
    if (coding.isNone()) {
      return given(settings);
    }
    Costs costs = Costs.of(coding, layout, run.streams());
    int entries = Math.max(1, coding.encodedEntries(layout));
    return with(settings, costs.encoding / entries, costs.decoding / entries);
  }

  /**
   * What a message costs.
   *
   * @param bytes of the message
   * @param encoding seconds
   * @param decoding seconds
   */
  record Costs(double bytes, double encoding, double decoding) {
    /** Costs on this machine. */
    static Costs of(Coding coding, Layout layout, Streams streams) {
      float[] vector = new float[layout.size()];
      var normal = ZigguratSampler.NormalizedGaussian.of(streams.stream("calibration", 0, 0));
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) normal.sample();
      }
      VectorEncoder encoder = new VectorEncoder(layout, coding, streams, "calibration", 0);
      VectorDecoder decoder = new VectorDecoder(layout, coding, streams, "calibration");
      float[] decoded = new float[vector.length];
      int[] length = {encoder.encode(vector, 1)};
      double[] seconds =
          SteadyTimes.of(
              () -> length[0] = encoder.encode(vector, 1),
              () -> decoder.decode(encoder.message(), length[0], 1, decoded));
      return new Costs(length[0], seconds[0], seconds[1]);
    }
  }

  /** Settings in which the costs of encoding and decoding, if not given, are 0. */
  static Settings given(Settings settings) {
    return with(settings, 0, 0);
  }

  private static Settings with(Settings settings, double encoding, double decoding) {
    return withDefault(
        withDefault(settings, COST_PER_ENCODED_ENTRY, encoding), COST_PER_DECODED_ENTRY, decoding);
  }

  private static Settings withDefault(Settings settings, Setting<Double> cost, double seconds) {
    return settings.has(cost) ? settings : settings.with(cost, seconds);
  }
}
