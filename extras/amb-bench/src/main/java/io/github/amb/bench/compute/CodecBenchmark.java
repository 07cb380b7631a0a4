package io.github.amb.bench.compute;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.seconds;
import static io.github.amb.bench.harness.Parameter.text;
import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Codecs: time and size of whole messages, measured by JMH in one JVM each, and bias and error over
 * many draws.
 */
public final class CodecBenchmark extends Benchmark {
  private static final String SAMPLED = "topk:0.01,sampled";
  private static final String QSGD = "qsgd:4";
  private static final String NO_SIZE = "none";
  private static final String SPECTRAL = "atomo-svd:3";

  private static final String ALL =
      "none+zstd fp16 bf16 int8 topk:0.01 topk:0.01,sampled topk:0.001,sampled "
          + "topk:0.01,sampled+ef dgc:0.01 randomk:0.01 threshold:0.01 adacomp:0.01 qsgd:2 "
          + "qsgd:4 qsgd:8 terngrad atomo-svd:3 atomo-entry:0.01 powersgd:2 signsgd ef-sign "
          + "onebit sketchml lss";

  private static final Setting<String> CODECS =
      text("codecs", "all", "codecs, joined by spaces", "which");
  private static final Setting<String> SIZES =
      text(
          "sizes",
          "10000000,cnn",
          "entries, cnn or resnet18, joined by commas; or none",
          "vectors to encode, none for bias and error alone");
  private static final Setting<Integer> DRAWS =
      integer("draws", 10_000, 1, "draws for bias and error");
  private static final Setting<Integer> ITERATIONS =
      integer("iterations", 5, 1, "measurements, after 3 that do not count");
  private static final Setting<Double> SLICE = seconds("slice", 0.3, "time of one measurement");

  private static final int WARM_UP = 3;

  private static final List<String> NOTES =
      List.of(
          "times are medians of one JVM; GB/s count the vector's 4 bytes per entry, one thread;"
              + " checks for finite numbers and the checksum are included",
          "entries are Laplace distributed and independent, which low-rank codecs cannot exploit:"
              + " their error is not their error on gradients",
          "index bits: of the message beyond values and signs, per entry sent, and what the entropy"
              + " of a random set would be");

  public CodecBenchmark() {
    super(
        "codec",
        "speed, size, bias and error of gradient codecs (JMH)",
        List.of(CODECS, SIZES, DRAWS, ITERATIONS, SLICE));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws RunnerException {
    String chosen = given.text(CODECS);
    List<String> codecs = List.of((chosen.equals("all") ? ALL : chosen).split(" "));
    codecs.forEach(Codecs::parse);
    List<Table> tables = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    if (!given.text(SIZES).equals(NO_SIZE)) {
      for (String size : given.text(SIZES).split(",")) {
        tables.add(speeds(size, codecs, given, targets));
      }
      tables.add(indices());
    }
    given.say("statistics");
    tables.add(
        CodecStatistics.table(
            codecs.stream().filter(CodecBenchmark::forgets).toList(), given.get(DRAWS)));
    return new BenchmarkReport(tables, targets, NOTES);
  }

  private static boolean forgets(String codec) {
    var coding = Codecs.parse(codec).codec();
    return coding.receiver() == coding;
  }

  private static Table speeds(
      String size, List<String> codecs, BenchmarkRun given, List<Target> targets)
      throws RunnerException {
    Layout layout = Vectors.layout(size);
    Table table =
        new Table(
            format("%,d entries (%s)", layout.size(), size),
            "codec encode_ms decode_ms encode_gb_per_s decode_gb_per_s bits_per_entry times_smaller");
    for (String codec : codecs) {
      given.say(size + ": " + codec);
      double encode = time("encode", codec, size, given);
      double decode = time("decode", codec, size, given);
      double bits = 8.0 * bytes(layout, codec) / layout.size();
      double megabytes = 4e-6 * layout.size();
      table.row(
          codec, encode, decode, megabytes / encode, megabytes / decode, bits, Float.SIZE / bits);
      addTarget(size, codec, encode, megabytes / encode, targets);
    }
    return table;
  }

  private static void addTarget(
      String size, String codec, double millis, double speed, List<Target> targets) {
    boolean cnn = size.equals(Vectors.CNN);
    if (size.equals(Vectors.RESNET) && codec.equals(SPECTRAL)) {
      targets.add(new Target(SPECTRAL + " of ResNet-18, ms", 100, millis));
    } else if (cnn && codec.equals(SPECTRAL)) {
      targets.add(new Target(SPECTRAL + " of the MNIST CNN, ms", 25, millis));
    } else if (!cnn && codec.equals(SAMPLED)) {
      targets.add(new Target(SAMPLED + " of " + size + ", s/GB (2 GB/s)", 0.5, 1 / speed));
    } else if (!cnn && codec.equals(QSGD)) {
      targets.add(new Target(QSGD + " of " + size + ", s/GB (1 GB/s)", 1, 1 / speed));
    }
  }

  private static int bytes(Layout layout, String codec) {
    return new VectorEncoder(layout, Codecs.parse(codec), Vectors.STREAMS, "uplink", 1)
        .encode(Vectors.laplace(layout.size()), 1);
  }

  /** Bits per index, next to their entropy. */
  private static Table indices() {
    Table table =
        new Table(
            "indices of 1,000,000 entries", "codec entries_sent index_bits entropy_bits ratio");
    Layout layout = Vectors.layout("1000000");
    float[] values = Vectors.laplace(layout.size());
    for (String ratio : List.of("0.1", "0.01", "0.001")) {
      String codec = "topk:" + ratio;
      var coding = Codecs.parse(codec);
      var encoder = new VectorEncoder(layout, coding, Vectors.STREAMS, "uplink", 1);
      int length = encoder.encode(values, 1);
      float[] decoded = new float[values.length];
      new VectorDecoder(layout, coding, Vectors.STREAMS, "uplink")
          .decode(encoder.message(), length, 1, decoded);
      int sent = 0;
      for (float value : decoded) {
        sent += value == 0 ? 0 : 1;
      }
      double p = (double) sent / values.length;
      double entropy = -(p * Math.log(p) + (1 - p) * Math.log(1 - p)) / Math.log(2) / p;
      double bits = 8.0 * length / sent - Float.SIZE;
      table.row(codec, sent, bits, entropy, bits / entropy);
    }
    return table;
  }

  private static double time(String work, String codec, String size, BenchmarkRun given)
      throws RunnerException {
    Map<String, Object> parameters = Map.of("codec", codec, "size", size);
    return JmhRun.millis(
        JmhRun.of(
            CodecState.class, work, parameters, WARM_UP, given.get(ITERATIONS), given.get(SLICE)));
  }
}
