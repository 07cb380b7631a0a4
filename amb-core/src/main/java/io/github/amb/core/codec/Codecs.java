package io.github.amb.core.codec;

import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The codecs by name. To add one of ours, add a class and an entry here. */
public final class Codecs implements Plugin<Codecs.Entry> {
  private static final int BUCKET = 512;
  private static final int INT8_BUCKET = 256;
  private static final double DGC_MOMENTUM = 0.9;
  private static final int DEMO_KEPT = 32;
  private static final int DEMO_CHUNK = 64;
  private static final double DEMO_DECAY = 0.999;

  /** All codecs, by name. */
  public static final Registry<Entry> ALL = new Registry<>("codec", Entry.class);

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("none", "32 bits per entry")
                .use("A fast network, or results to compare codecs with.")
                .formula("C(x) = x"),
            "",
            a -> Plain.INSTANCE),
        new Entry(
            Description.of("fp16", "16 bits per entry, binary16, scaled")
                .use("The first one to try: half the bytes at almost no error.")
                .source(
                    "IEEE 754 binary16; Micikevicius et al., Mixed Precision Training, ICLR 2018"),
            "",
            a -> new Fp16()),
        new Entry(
            Description.of("bf16", "16 bits per entry, bfloat16")
                .use("As fp16, for gradients of very different magnitudes.")
                .source("Dean et al., NIPS 2012; bfloat16, Google Brain, 2018"),
            "",
            a -> new Bf16()),
        new Entry(
            Description.of("int8", "8 bits per entry, a scale per bucket")
                .use("A quarter of the bytes, with an error that each bucket bounds.")
                .formula("x -> s round(x / s), s = max |x| / 127")
                .source(
                    "Dettmers, 8-Bit Approximations for Parallelism in Deep Learning, ICLR 2016"),
            "[:bucket=256]",
            a -> new BlockInt8(bucket(a, INT8_BUCKET))),
        new Entry(
            Description.of("topk", "the entries of largest magnitude")
                .use("A slow network and large layers, with +ef.")
                .formula("keeps the k = RATIO d entries of largest |x|")
                .source(
                    "Aji and Heafield, Sparse Communication for Distributed Gradient Descent, EMNLP"
                        + " 2017"),
            "[:RATIO=0.01][,sampled][,bits=BITS][,warmup=MESSAGES]",
            a -> topK(a, a.ratio(0.01), a.flag("sampled"))),
        new Entry(
            Description.of(
                    "dgc", "top-k by sampling with momentum correction (deep gradient compression)")
                .use("As topk, at ratios of 0.001 and below, with a rule without momentum.")
                .formula(
                    "u <- m u + g, v <- v + u, sends the top k of v; of blocks that are not encoded, u")
                .source("Lin et al., Deep Gradient Compression, ICLR 2018"),
            "[:RATIO=0.001][,momentum=0.9][,warmup=MESSAGES]",
            Codecs::dgc),
        new Entry(
            Description.of("demo", "the largest DCT coefficients of chunks, with decayed residual")
                .use("Very few bytes of large dense layers, where gradients are smooth in time.")
                .formula("e <- b e + g; sends the K largest of DCT(e) per chunk; e <- e - sent")
                .source("Peng et al., DeMo: Decoupled Momentum Optimization, 2024"),
            "[:K=32][,chunk=64][,decay=0.999]",
            Codecs::demo),
        new Entry(
            Description.of("randomk", "random entries, the same at all workers")
                .use("Indices need no bytes; with +ef.")
                .formula("keeps RATIO d entries, drawn again for each step")
                .source("Stich et al., Sparsified SGD with Memory, NeurIPS 2018"),
            "[:RATIO=0.01]",
            a -> new RandomK(a.ratio(0.01), true)),
        new Entry(
            Description.of(
                    "adacomp", "the entries of largest magnitude, divided by their own staleness")
                .use("Asynchronous schemes, whose stale entries count less.")
                .formula("the master divides entry i by its own staleness")
                .source(
                    "AdaComp (Hardy et al., Distributed Deep Learning on Edge-Devices, IEEE NCA"
                        + " 2017)"),
            "[:RATIO=0.01]",
            a -> new AdaComp(a.ratio(0.01))),
        new Entry(
            Description.of("threshold", "signs of the entries above an adaptive threshold")
                .use(
                    "Very few bytes, where entries above a threshold carry the gradient; with +ef.")
                .formula("x -> t sign(x) where |x| >= t")
                .source(
                    "Strom, Scalable Distributed DNN Training, Interspeech 2015; adaptive as in"
                        + " Deeplearning4j"),
            "[:DENSITY=0.001]",
            a -> new Threshold(a.ratio(0.001))),
        new Entry(
            Description.of("qsgd", "random rounding to levels of the norm, unbiased")
                .use("An unbiased codec of a few bits per entry.")
                .formula("x -> ||v|| sign(x) l / s, l random with mean |x| s / ||v||")
                .source("Alistarh et al., QSGD, NIPS 2017"),
            "[:BITS=4][,bucket=512]",
            a -> new Qsgd(a.count(4, 2, 16), bucket(a, BUCKET))),
        new Entry(
            Description.of("terngrad", "random rounding to -max, 0, max, unbiased without clip")
                .use("The fewest bits of an unbiased codec without sparsity.")
                .formula(
                    "x -> a times -1, 0 or 1, of mean x; a = max |x|, with clip up to FACTOR sqrt(mean x^2)")
                .source("Wen et al., TernGrad, NIPS 2017"),
            "[:bucket=512][,clip=FACTOR]",
            Codecs::ternGrad),
        new Entry(
            Description.of(
                    "atomo-svd", "random terms of the singular value decomposition, unbiased")
                .use("Unbiased, for layers whose gradients have a low rank.")
                .formula(
                    "G = sum of s_i u_i v_i^T; term i is sent with probability p_i, divided by it")
                .source("Wang et al., ATOMO, NeurIPS 2018"),
            "[:RANK=3][,square]",
            Codecs::atomoSvd),
        new Entry(
            Description.of(
                    "atomo-entry",
                    "random entries with the probabilities of least variance, unbiased")
                .use("Unbiased sparsity at the least variance of its size.")
                .formula("x_i is sent with probability p_i, divided by it")
                .source("Wang et al., ATOMO, NeurIPS 2018"),
            "[:RATIO=0.01]",
            a -> new AtomoEntry(a.ratio(0.01))),
        new Entry(
            Description.of(
                    "powersgd", "low-rank approximation by power iteration with a warm start")
                .use("Large dense layers and few bytes, with +ef.")
                .formula("G ~ P Q^T, one step of power iteration")
                .source("Vogels et al., PowerSGD, NeurIPS 2019"),
            "[:RANK=2]",
            a -> new PowerSgd(a.count(2, 1, Integer.MAX_VALUE))),
        new Entry(
            Description.of("signsgd", "signs, and a majority vote")
                .use("One bit per entry and small learning rates, with many workers.")
                .formula("the master steps along the majority of the signs")
                .source("Bernstein et al., signSGD, ICML 2018"),
            "",
            a -> new SignSgd()),
        new Entry(
            Description.of("ef-sign", "signs times the mean magnitude, with error feedback")
                .use("One bit per entry where signsgd does not converge.")
                .formula("x + e -> mean |x + e| sign(x + e)")
                .source("Karimireddy et al., Error Feedback Fixes SignSGD, ICML 2019"),
            "",
            a -> new ErrorFeedback(new ScaledSign())),
        new Entry(
            Description.of("onebit", "signs, a mean for each per bucket, with error feedback")
                .use("As ef-sign, for layers whose columns differ in scale.")
                .formula("the mean of a bucket's positive, or of its negative entries")
                .source("Seide et al., 1-Bit Stochastic Gradient Descent, Interspeech 2014"),
            "[:bucket=512]",
            a -> new ErrorFeedback(new OneBit(bucket(a, BUCKET)))),
        new Entry(
            Description.of("sketchml", "quantile bins in min-max sketches")
                .use("Sparse gradients, whose magnitudes may come out too small.")
                .formula("the quantile of |x|, of 128 per sign, in a min-max sketch")
                .source("Jiang et al., SketchML, SIGMOD 2018"),
            "",
            a -> new SketchMl()),
        new Entry(
            Description.of(
                    "lss",
                    "clusters and hashed buckets (CASQ); buckets per entry, clusters per octave")
                .use("Messages of one size, whatever the gradient is.")
                .formula("the mean of a bucket's entries of one cluster")
                .source("Ge et al., CASQ, IEEE CLUSTER 2021"),
            "[:BUCKETS=0.01][,clusters=2]",
            a -> new Lss(a.ratio(0.01), clusters(a))));
  }

  /**
   * A codec that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param factory makes the codec
   */
  public record Entry(
      Description description, String arguments, Function<EntryArguments, Codec> factory)
      implements Registry.Entry {}

  /** The additions that may follow a codec, for help. */
  public static final List<Description> ADDITIONS =
      List.of(
          Description.of(
              "+ef[=1]",
              "error feedback: adds what a message did not carry to the next one, times the number given"),
          Description.of(
              "+ef21",
              "EF21: encodes what changed since the worker's last message, both ends add up"),
          Description.of("+after[=STEPS]", "a warm-up: messages up to this step are not encoded"),
          Description.of(
              "+momentum[=0.9]",
              "momentum correction, as dgc has it; for topk, randomk and threshold, with a rule without momentum"),
          Description.of("+biases", "encodes biases, too; most codecs send them as they are"),
          Description.of(
              "+min=ENTRIES", "encodes blocks of this many entries or more; 256 for most codecs"),
          Description.of("+zstd", "compresses the encoded message by Zstandard"),
          Description.of("+lz4", "compresses the encoded message by LZ4"));

  /**
   * Parses {@code NAME[:ARGUMENTS][+ADDITION…]}, such as {@code topk:0.01,sampled+ef+zstd}.
   *
   * @throws UsageException if the codec, an argument or an addition is unknown or out of range
   */
  @SuppressWarnings("exports") // For this program's own modules.
  public static Coding parse(String text) {
    String[] parts = text.split("\\+", -1);
    Registry.Choice<Entry> choice = ALL.choose(parts[0]);
    Codec codec = choice.make(choice.entry().factory());
    if (text.equals(Coding.NONE.text())) {
      return Coding.NONE;
    }
    CodingBuilder builder = new CodingBuilder(text, codec);
    Arrays.stream(parts).skip(1).forEach(builder::add);
    return builder.build();
  }

  private static int bucket(EntryArguments arguments, int fallback) {
    return arguments.count("bucket", fallback, 1, Integer.MAX_VALUE);
  }

  private static int clusters(EntryArguments arguments) {
    return (int)
        arguments.named(
            "clusters", 2, value -> value == 1 || value == 2 || value == 4, "1, 2 or 4");
  }

  private static TopK topK(EntryArguments arguments, double ratio, boolean sampled) {
    int warmUp = arguments.count("warmup", 0, 0, Integer.MAX_VALUE);
    TopK codec = new TopK(ratio, sampled, arguments.count("bits", 0, 2, 8));
    return warmUp == 0 ? codec : codec.warmingUp(warmUp);
  }

  private static Codec demo(EntryArguments arguments) {
    int kept = arguments.count(DEMO_KEPT, 1, Integer.MAX_VALUE);
    int side = arguments.count("chunk", DEMO_CHUNK, 1, 256);
    double decay =
        arguments.named("decay", DEMO_DECAY, b -> b > 0 && b <= 1, "a number above 0, up to 1");
    return new ErrorFeedback(new DctTopK(side, kept), decay);
  }

  private static Codec dgc(EntryArguments arguments) {
    TopK codec = topK(arguments, arguments.ratio(0.001), true);
    return new MomentumCorrection(
        codec, arguments.named("momentum", DGC_MOMENTUM, m -> m >= 0 && m < 1, "0 up to below 1"));
  }

  private static Codec atomoSvd(EntryArguments arguments) {
    int rank = arguments.count(3, 1, Integer.MAX_VALUE);
    boolean square = arguments.flag("square");
    return new AtomoSvd(rank, square ? Shapes::nearlySquare : Shapes::windowPairs);
  }

  private static Codec ternGrad(EntryArguments arguments) {
    double clip =
        arguments.named("clip", Double.POSITIVE_INFINITY, value -> value > 0, "a number above 0");
    return new TernGrad(bucket(arguments, BUCKET), clip);
  }
}
