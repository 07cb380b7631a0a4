package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.topology.Topology;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.train.part.CodecCalibration.Costs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The codecs that settings name. {@code auto} stands for the one with which a gradient is encoded,
 * sent and decoded in the least time. That choice is made once, before a run begins.
 */
public final class CodecChoice {
  /** The codecs to choose from, all of which have a small error in every entry. */
  static final List<String> NAMES = List.of(NONE, "fp16", "int8");

  /** What a codec must save of the time without one. */
  static final double LEAST_GAIN = 0.02;

  private static final double BITS = 8;

  private CodecChoice() {}

  /**
   * How gradients come to a rank that adds them up.
   *
   * @param bytesPerSecond of each link
   * @param messages that it receives in a step
   * @param part of a gradient that a message has
   * @param spacing seconds that it sends parameters to a worker before it sends them to the next
   */
  record Way(double bytesPerSecond, int messages, double part, double spacing) {
    /**
     * Seconds from the end of the first worker's gradient until the last one is decoded. A rank
     * decodes a message while it receives the next one, but not while it sends.
     */
    double seconds(Costs costs) {
      double transfer = part * costs.bytes() / bytesPerSecond;
      double decoding = part * costs.decoding();
      double each = Math.max(spacing, Math.max(transfer, decoding));
      double arrived = costs.encoding() + (messages - 1) * each + transfer;
      return Math.max(arrived, (messages - 1) * (spacing + decoding)) + decoding;
    }
  }

  /**
   * Chooses.
   *
   * @param costs of a whole gradient by codec; has {@code none}
   */
  static String of(Map<String, Costs> costs, Way way) {
    String best = NONE;
    double least = (1 - LEAST_GAIN) * way.seconds(costs.get(NONE));
    for (Map.Entry<String, Costs> each : costs.entrySet()) {
      double seconds = way.seconds(each.getValue());
      if (seconds < least) {
        best = each.getKey();
        least = seconds;
      }
    }
    return best;
  }

  /**
   * The run with the codec chosen, if that is to be done.
   *
   * @param notes receives the choice
   */
  public static RunParts made(RunParts run, Consumer<String> notes) {
    Settings settings = run.settings();
    if (!isOpen(settings)) {
      return run;
    }
    Topology topology = Topology.named(settings.get(TOPOLOGY));
    Map<String, Costs> costs = new LinkedHashMap<>();
    for (String name : NAMES) {
      if (name.equals(NONE) || fits(run, topology, Codecs.parse(name))) {
        costs.put(name, costs(run, Codecs.parse(name)));
      }
    }
    Way way = way(run, topology, costs.get(NONE).bytes());
    String chosen = of(costs, way);
    notes.accept(
        "--codec %s: %s, with which gradients take %.2g s to be encoded, sent and decoded, and %.2g s without a codec"
            .formatted(
                settings.get(CODEC),
                chosen,
                way.seconds(costs.get(chosen)),
                way.seconds(costs.get(NONE))));
    return run.withCodec(chosen);
  }

  /**
   * In the star of the virtual cluster, parameters come to one worker after the other, and so do
   * gradients from them. On real hosts they come to all at about the same time.
   *
   * @param bytes of a gradient that is not encoded
   */
  private static Way way(RunParts run, Topology topology, double bytes) {
    int workers = run.settings().get(WORKERS);
    double rate = bitsPerSecond(run.settings()) / BITS;
    if (topology != Topology.STAR) {
      return new Way(rate, workers, 1.0 / workers, 0);
    }
    Coding down = run.codings().downlink();
    double share = down.share((int) (bytes / Float.BYTES), run.streams());
    return new Way(rate, workers, 1, run.simulated() ? share * bytes / rate : 0);
  }

  /** Whether a codec is to be chosen. */
  public static boolean isOpen(Settings settings) {
    return isAuto(settings.get(CODEC));
  }

  private static boolean isAuto(String codec) {
    return codec.split("[:+]")[0].equals(AUTO);
  }

  /**
   * The codecs that settings name, without one of gradients if it is to be chosen.
   *
   * @throws UsageException if they are not possible, or cannot be chosen
   */
  static Codings codings(Settings settings) {
    if (isAuto(settings.get(DOWNLINK_CODEC))) {
      throw new UsageException(
          "--downlink-codec auto: expected a codec by its name, as auto is for gradients alone");
    }
    Coding uplink = isOpen(settings) ? open(settings) : Codecs.parse(settings.get(CODEC));
    Codings codings = new Codings(uplink, Codecs.parse(settings.get(DOWNLINK_CODEC)));
    String option = (uplink.isNone() ? DOWNLINK_CODEC : CODEC).name();
    if (!codings.isNone() && settings.get(WORKERS) == 0) {
      throw new UsageException(
          "--%s: expected at least 1 worker, found --workers 0, where nothing is sent", option);
    }
    return codings;
  }

  private static Coding open(Settings settings) {
    double rate = given(settings);
    if (settings.get(ENGINE).equals(OPENMPI)) {
      throw new UsageException(
          "--codec auto: expected --engine mpj or sim, as no launcher of ours chooses for all ranks, found openmpi");
    }
    if (settings.has(HOSTS) && Double.isNaN(rate)) {
      throw new UsageException(
          "--codec auto: expected the links' bits per second with --hosts, as auto:1e9, found none");
    }
    return Coding.NONE;
  }

  /** The rate given with the option; NaN for none. */
  private static double given(Settings settings) {
    String codec = settings.get(CODEC);
    String argument = codec.substring(AUTO.length()).replaceFirst("^:", "");
    EntryArguments arguments = new EntryArguments("codec auto", argument);
    double rate = arguments.first(Double.NaN, bits -> bits > 0, "bits per second above 0");
    arguments.end("auto[:BITS-PER-SECOND]");
    return rate;
  }

  /** The rate given, or that of the virtual cluster; infinite for ranks on one host. */
  private static double bitsPerSecond(Settings settings) {
    double rate = given(settings);
    return Double.isNaN(rate) ? settings.get(BANDWIDTH) : rate;
  }

  private static boolean fits(RunParts run, Topology topology, Coding coding) {
    String scheme = run.settings().get(SCHEME);
    return run.settings().get(WORKERS) > 0
        && !Double.isInfinite(bitsPerSecond(run.settings()))
        && !run.scheme().uplink().isObserved()
        && new Codings(coding, Coding.NONE)
            .problems(scheme, run.scheme().uplink(), run.scheme().needsExactParameters())
            .isEmpty()
        && topology.problems(scheme, run.scheme(), coding).isEmpty();
  }

  private static Costs costs(RunParts run, Coding coding) {
    Settings settings = run.settings();
    int entries = run.timingOnly() ? settings.get(PARAMETERS) : Math.toIntExact(run.parameters());
    if (coding.isNone()) {
      return new Costs((double) Float.BYTES * entries, 0, 0);
    }
    if (!run.simulated() || Calibration.isMeasured(settings)) {
      Layout layout = new Layout(List.of(new Block("vector", Block.Kind.WEIGHT, 0, entries)));
      return Costs.of(coding, layout, run.streams());
    }
    Settings given = CodecCalibration.given(settings);
    return new Costs(
        coding.share(entries, run.streams()) * Float.BYTES * entries,
        entries * given.get(COST_PER_ENCODED_ENTRY),
        entries * given.get(COST_PER_DECODED_ENTRY));
  }
}
