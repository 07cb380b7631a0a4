package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchComputation;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Gradient coding: every worker computes s + 1 of the n batches of a step, and the master recovers
 * the sum of all n, whichever s workers are late. The update is that of {@code fmb} but for
 * rounding, which {@link GradientCode#amplification} bounds.
 *
 * <p>Tandon, Lei, Dimakis, Karampatziakis: "Gradient Coding: Avoiding Stragglers in Distributed
 * Learning", ICML 2017.
 */
final class Coded extends BatchScheme {
  private static final String FRACTIONAL = "fractional";

  static final Setting<Integer> STRAGGLERS =
      Setting.integer("coded-stragglers", 1, 0).help("workers that a step can do without, s");
  static final Setting<String> CODE =
      Setting.choice("coded-repetition", "cyclic", FRACTIONAL)
          .help(
              "which workers share batches: neighbors in rings of s + 1 and more, or groups of s + 1");

  /** With it, rounding changes an entry by at most 6e-4 of the batches' magnitudes. */
  private static final double MAX_AMPLIFICATION = 1e4;

  private final int workers;
  private final int stragglers;

  Coded(SchemeOptions options) {
    super(BatchPolicy.fixed(options.batchSize()), Uplink.COMBINATIONS);
    workers = options.workers();
    stragglers = options.get(STRAGGLERS);
  }

  static List<String> problems(SchemeOptions options) {
    int stragglers = options.get(STRAGGLERS);
    int workers = options.workers();
    if (stragglers >= workers) {
      return List.of(
          "--coded-stragglers: expected 0 to %d (less than the number of workers), found %d"
              .formatted(workers - 1, stragglers));
    }
    if (options.get(CODE).equals(FRACTIONAL) && workers % (stragglers + 1) != 0) {
      return List.of(
          ("--coded-repetition fractional: expected a number of workers that %d (s + 1) divides, found %d;"
                  + " change --workers or --coded-stragglers, or use cyclic")
              .formatted(stragglers + 1, workers));
    }
    double amplification = new GradientCode(workers, stragglers).amplification();
    if (amplification > MAX_AMPLIFICATION) {
      return List.of(
          ("--coded-stragglers: expected s with which rounding is amplified at most %.0f times, found %d, with"
                  + " which it is %.0f times for %d workers; take s so that s + 1 divides the number of workers")
              .formatted(MAX_AMPLIFICATION, stragglers, amplification, workers));
    }
    return List.of();
  }

  /** Of all workers: a generation without some of them, after the last step, computes nothing. */
  private GradientCode code() {
    return new GradientCode(workers, stragglers);
  }

  @Override
  public void master(Master master) {
    Decoding decoding = new Decoding(code(), workers);
    long examples = (long) batchPolicy().batchSize() * workers;
    while (master.nextStep()) {
      master.broadcast(); // w to each worker that is not computing
      decoding.begin();
      do {
        decoding.add(master.receive()); // Σⱼ Bᵢⱼ gⱼ of worker i
      } while (!decoding.decodes() && master.results() < workers); // until aᵀ B = 1ᵀ has an a
      boolean recovered = decoding.recover(master.gathered()); // Σⱼ gⱼ = Σᵢ aᵢ Σⱼ Bᵢⱼ gⱼ
      master.update(recovered ? examples : 0); // w ← w − η Σⱼ gⱼ / (n B)
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    GradientCode code = code();
    int i = worker.context().rank() - 1;
    BatchComputation[] batches = new BatchComputation[stragglers + 1];
    for (int k = 0; k <= stragglers; k++) {
      batches[k] = worker.inPlaceOf(code.batch(i, k) + 1);
    }
    double[] sum = new double[worker.context().source().layout().size()];
    FloatBuffer gradient = FloatBuffer.allocate(sum.length);
    while (worker.receive()) { // w
      float[] values = worker.result().begin(Message.Kind.GRADIENT, worker.step(), sum.length);
      Arrays.fill(sum, 0);
      for (int k = 0; k <= stragglers; k++) {
        // A worker that was late has left out steps; batches go by the step all the same.
        batches[k].seek(worker.step() - 1);
        // A worker's own batch is its first, and the only one with an induced delay.
        batches[k].run(worker.parameters(), worker.step(), gradient, k == 0, Clock.NEVER); // gⱼ
        addTo(sum, code.coefficient(i, k), gradient.array()); // + Bᵢⱼ gⱼ
        worker.result().add(batches[k], code.coefficient(i, k));
      }
      round(sum, values);
      worker.result().send(); // Σⱼ Bᵢⱼ gⱼ
    }
  }

  private static void addTo(double[] sum, double coefficient, float[] addend) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += coefficient * addend[i];
    }
  }

  private static void round(double[] sum, float[] values) {
    for (int i = 0; i < sum.length; i++) {
      values[i] = (float) sum[i];
    }
  }

  /** A code is made for a number of workers. */
  @Override
  public int minWorkers(int workers) {
    return workers;
  }

  /** Recovers the sum over all batches from coded sums. */
  private static final class Decoding {
    private static final int CHUNK = 4096;

    private final GradientCode code;
    private final boolean[] present;
    private final double[] weights;
    private final double[] sum = new double[CHUNK];
    private boolean decodes;

    Decoding(GradientCode code, int workers) {
      this.code = code;
      present = new boolean[workers];
      weights = new double[workers];
    }

    void begin() {
      Arrays.fill(present, false);
    }

    /** Notes a result; one without examples, as it was not finite, does not count. */
    void add(Result result) {
      present[result.source() - 1] = result.examples() > 0;
      decodes = code.decode(present, weights);
    }

    boolean decodes() {
      return decodes;
    }

    /**
     * Puts the weighted sum in the place of the first result with examples, and zeros in that of
     * the others. An update leaves out what has no examples.
     *
     * @return false if too many results are without examples; nothing is to be updated then
     */
    boolean recover(Gathering results) {
      if (!decodes) {
        return false;
      }
      // The update rejects what is not finite, and names its worker.
      if (isFinite(results)) {
        addUp(results);
      }
      for (int k = 0; k < results.contributors(); k++) {
        Result result = results.result(k);
        result.lossSum(weight(result) * result.lossSum());
      }
      return true;
    }

    private double weight(Result result) {
      return weights[result.source() - 1];
    }

    private static boolean isFinite(Gathering results) {
      boolean finite = true;
      for (int k = 0; k < results.contributors(); k++) {
        Message message = results.result(k).message();
        finite &= Finite.firstBad(message.values(), 0, message.length()) < 0;
      }
      return finite;
    }

    private void addUp(Gathering results) {
      Message first = firstWithExamples(results);
      for (int from = 0; from < first.length(); from += CHUNK) {
        int count = Math.min(CHUNK, first.length() - from);
        Arrays.fill(sum, 0);
        for (int k = 0; k < results.contributors(); k++) {
          add(results.result(k).message().values(), from, count, weight(results.result(k)));
        }
        for (int i = 0; i < count; i++) {
          first.values()[from + i] = (float) sum[i];
        }
      }
      for (int k = 0; k < results.contributors(); k++) {
        Message message = results.result(k).message();
        if (message != first) {
          Arrays.fill(message.values(), 0, message.length(), 0);
        }
      }
    }

    private static Message firstWithExamples(Gathering results) {
      int k = 0;
      while (results.result(k).examples() == 0) {
        k++;
      }
      return results.result(k).message();
    }

    private void add(float[] values, int from, int count, double weight) {
      for (int i = 0; i < count; i++) {
        sum[i] += weight * values[from + i];
      }
    }
  }
}
