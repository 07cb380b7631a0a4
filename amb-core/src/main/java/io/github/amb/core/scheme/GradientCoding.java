package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Finite;
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
final class GradientCoding implements Scheme {
  private static final String FRACTIONAL = "fractional";

  static final SchemeOption<Integer> STRAGGLERS =
      SchemeOption.integer("coded-stragglers", 1, 0, "workers that a step can do without, s");
  static final SchemeOption<String> CODE =
      SchemeOption.choice(
          "coded-repetition",
          "which workers share batches: neighbors in rings of s + 1 and more, or groups of s + 1",
          "cyclic",
          FRACTIONAL);

  /** With it, rounding changes an entry by at most 6e-4 of the batches' magnitudes. */
  private static final double MOST_AMPLIFICATION = 1e4;

  private final BatchPolicy policy;
  private final int workers;
  private final int stragglers;

  GradientCoding(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
    workers = options.workers();
    stragglers = options.get(STRAGGLERS);
  }

  static List<String> problems(SchemeOptions options) {
    int stragglers = options.get(STRAGGLERS);
    int workers = options.workers();
    if (workers == 0) {
      return List.of("--workers: expected at least 1 with scheme coded, found 0");
    }
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
    if (amplification > MOST_AMPLIFICATION) {
      return List.of(
          ("--coded-stragglers: expected s with which rounding is amplified at most %.0f times, found %d, with"
                  + " which it is %.0f times for %d workers; take s so that s + 1 divides the number of workers")
              .formatted(MOST_AMPLIFICATION, stragglers, amplification, workers));
    }
    return List.of();
  }

  /** Of all workers: a world without some of them, after the last step, computes nothing. */
  private GradientCode code() {
    return new GradientCode(workers, stragglers);
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    Decoding decoding = new Decoding(code(), workers, (long) policy.batchSize() * workers);
    new SynchronousMaster(master, communicator, Round.ofGradients(decoding)).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new CodedWorker(worker, communicator, policy, code(), stragglers).run();
  }

  /** A code is made for a number of workers. */
  @Override
  public int leastWorkers(int workers) {
    return workers;
  }

  @Override
  public Uplink uplink() {
    return Uplink.COMBINATIONS;
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }

  /**
   * Recovers the sum over all batches from coded sums. With too many of them left out, as they are
   * not finite, nothing is updated.
   */
  private static final class Decoding implements Aggregation {
    private static final int CHUNK = 4096;

    private final GradientCode code;
    private final long examples;
    private final boolean[] present;
    private final double[] weights;
    private final double[] sum = new double[CHUNK];
    private boolean decodes;

    Decoding(GradientCode code, int workers, long examples) {
      this.code = code;
      this.examples = examples;
      present = new boolean[workers];
      weights = new double[workers];
    }

    @Override
    public boolean isEnough(Gathering gathering) {
      for (int worker = 0; worker < present.length; worker++) {
        present[worker] = gathering.examples(worker) > 0;
      }
      decodes = code.decode(present, weights);
      return decodes || gathering.results() == present.length;
    }

    @Override
    public long update(Gathering gathering, MasterContext master, double learningRate) {
      if (!decodes) {
        gathering.apply(master.update(), master.parameters(), 0, learningRate);
        return 0;
      }
      // The update refuses what is not finite, and says whose it is.
      if (isFinite(gathering)) {
        recover(gathering);
      }
      for (int k = 0; k < gathering.contributors(); k++) {
        Frame result = gathering.result(k);
        double loss = result.stat(GradientStats.LOSS_SUM);
        result.stat(GradientStats.LOSS_SUM, weight(gathering, k) * loss);
      }
      gathering.apply(master.update(), master.parameters(), examples, learningRate);
      return examples;
    }

    private double weight(Gathering gathering, int k) {
      return weights[gathering.ranks()[k] - 1];
    }

    private static boolean isFinite(Gathering gathering) {
      boolean finite = true;
      for (int k = 0; k < gathering.contributors(); k++) {
        Frame result = gathering.result(k);
        finite &= Finite.firstBad(result.values(), 0, result.length()) < 0;
      }
      return finite;
    }

    /** Puts the weighted sum in the place of the first result, and zeros in that of the others. */
    private void recover(Gathering gathering) {
      Frame first = gathering.result(0);
      for (int from = 0; from < first.length(); from += CHUNK) {
        int count = Math.min(CHUNK, first.length() - from);
        Arrays.fill(sum, 0);
        for (int k = 0; k < gathering.contributors(); k++) {
          add(gathering.result(k).values(), from, count, weight(gathering, k));
        }
        for (int i = 0; i < count; i++) {
          first.values()[from + i] = (float) sum[i];
        }
      }
      for (int k = 1; k < gathering.contributors(); k++) {
        Arrays.fill(gathering.result(k).values(), 0, first.length(), 0);
      }
    }

    private void add(float[] values, int from, int count, double weight) {
      for (int i = 0; i < count; i++) {
        sum[i] += weight * values[from + i];
      }
    }
  }
}
