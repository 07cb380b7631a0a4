package io.github.amb.core.codec;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The codecs by name. To add one, add a class and a line here. */
public final class Codecs {
  private static final int BUCKET = 512;
  private static final int INT8_BUCKET = 256;
  private static final double DGC_MOMENTUM = 0.9;

  private static final Registry<Entry> ALL =
      new Registry<>(
          "codec",
          List.of(
              new Entry("none", "", "32 bits per entry", a -> Plain.INSTANCE),
              new Entry("fp16", "", "16 bits per entry, binary16, scaled", a -> new Fp16()),
              new Entry("bf16", "", "16 bits per entry, bfloat16", a -> new Bf16()),
              new Entry(
                  "int8",
                  "[:bucket=256]",
                  "8 bits per entry, a scale per bucket",
                  a -> new BlockInt8(bucket(a, INT8_BUCKET))),
              new Entry(
                  "topk",
                  "[:RATIO=0.01][,sampled][,warmup=MESSAGES]",
                  "the entries of largest magnitude",
                  a -> topK(a, a.ratio(0.01), a.flag("sampled"))),
              new Entry(
                  "dgc",
                  "[:RATIO=0.001][,momentum=0.9][,warmup=MESSAGES]",
                  "top-k by sampling with momentum correction (deep gradient compression)",
                  Codecs::dgc),
              new Entry(
                  "randomk",
                  "[:RATIO=0.01]",
                  "random entries, the same at all workers",
                  a -> new RandomK(a.ratio(0.01))),
              new Entry(
                  "adacomp",
                  "[:RATIO=0.01]",
                  "the entries of largest magnitude, divided by their own staleness",
                  a -> new AdaComp(a.ratio(0.01))),
              new Entry(
                  "threshold",
                  "[:DENSITY=0.001]",
                  "signs of the entries above an adaptive threshold",
                  a -> new Threshold(a.ratio(0.001))),
              new Entry(
                  "qsgd",
                  "[:BITS=4][,bucket=512]",
                  "random rounding to levels of the norm, unbiased",
                  a -> new Qsgd(a.count(4, 2, 16), bucket(a, BUCKET))),
              new Entry(
                  "terngrad",
                  "[:bucket=512][,clip=DEVIATIONS]",
                  "random rounding to -max, 0, max, unbiased without clip",
                  Codecs::ternGrad),
              new Entry(
                  "atomo-svd",
                  "[:RANK=3][,square]",
                  "random terms of the singular value decomposition, unbiased",
                  Codecs::atomoSvd),
              new Entry(
                  "atomo-entry",
                  "[:RATIO=0.01]",
                  "random entries with the probabilities of least variance, unbiased",
                  a -> new AtomoEntry(a.ratio(0.01))),
              new Entry(
                  "powersgd",
                  "[:RANK=2]",
                  "low-rank approximation by power iteration with a warm start",
                  a -> new PowerSgd(a.count(2, 1, Integer.MAX_VALUE))),
              new Entry("signsgd", "", "signs, and a majority vote", a -> new SignSgd()),
              new Entry(
                  "ef-sign",
                  "",
                  "signs times the mean magnitude, with error feedback",
                  a -> new ErrorFeedback(new ScaledSign())),
              new Entry(
                  "onebit",
                  "[:bucket=512]",
                  "signs, a mean for each per bucket, with error feedback",
                  a -> new ErrorFeedback(new OneBit(bucket(a, BUCKET)))),
              new Entry("sketchml", "", "quantile bins in min-max sketches", a -> new SketchMl()),
              new Entry(
                  "lss",
                  "[:BUCKETS=0.01][,clusters=2]",
                  "clusters and hashed buckets (CASQ); buckets per entry, clusters per octave",
                  a -> new Lss(a.ratio(0.01), clusters(a)))));

  private Codecs() {}

  /**
   * A codec that a user can name.
   *
   * @param name what the user types
   * @param arguments what may follow the name
   * @param summary one line for help
   * @param factory makes the codec
   */
  public record Entry(
      String name, String arguments, String summary, Function<CodecArguments, Codec> factory)
      implements Registry.Entry {
    private Codec create(String given) {
      CodecArguments rest = new CodecArguments(name, given);
      Codec codec = factory.apply(rest);
      rest.end(name + arguments);
      return codec;
    }
  }

  /** All codecs, by name. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /** What may follow a codec, in words. */
  public static final String ADDITIONS =
      "+ef (error feedback), +momentum[=0.9] (momentum correction), +biases and +min=ENTRIES (blocks"
          + " that are encoded), +zstd, +lz4";

  /**
   * Reads {@code NAME[:ARGUMENTS][+ADDITION…]}, such as {@code topk:0.01,sampled+ef+zstd}.
   *
   * @throws UsageException if there is no such codec, or it takes no such arguments
   */
  public static Coding parse(String text) {
    String[] parts = text.split("\\+", -1);
    String[] head = parts[0].split(":", 2);
    Codec codec = ALL.named(head[0]).create(head.length == 1 ? "" : head[1]);
    if (text.equals(Coding.NONE.text())) {
      return Coding.NONE;
    }
    CodingBuilder builder = new CodingBuilder(text, codec);
    Arrays.stream(parts).skip(1).forEach(builder::add);
    return builder.build();
  }

  private static int bucket(CodecArguments arguments, int fallback) {
    return arguments.count("bucket", fallback, 1, Integer.MAX_VALUE);
  }

  private static int clusters(CodecArguments arguments) {
    return (int)
        arguments.named(
            "clusters", 2, value -> value == 1 || value == 2 || value == 4, "1, 2 or 4");
  }

  private static TopK topK(CodecArguments arguments, double ratio, boolean sampled) {
    int warmUp = arguments.count("warmup", 0, 0, Integer.MAX_VALUE);
    TopK codec = new TopK(ratio, sampled);
    return warmUp == 0 ? codec : codec.warmingUp(warmUp);
  }

  private static Codec dgc(CodecArguments arguments) {
    TopK codec = topK(arguments, arguments.ratio(0.001), true);
    return new MomentumCorrection(
        codec, arguments.named("momentum", DGC_MOMENTUM, m -> m >= 0 && m < 1, "0 up to below 1"));
  }

  private static Codec atomoSvd(CodecArguments arguments) {
    int rank = arguments.count(3, 1, Integer.MAX_VALUE);
    boolean square = arguments.flag("square");
    return new AtomoSvd(rank, square ? Shapes::nearlySquare : Shapes::windowPairs);
  }

  private static Codec ternGrad(CodecArguments arguments) {
    double clip =
        arguments.named("clip", Double.POSITIVE_INFINITY, value -> value > 0, "a number above 0");
    return new TernGrad(bucket(arguments, BUCKET), clip);
  }
}
