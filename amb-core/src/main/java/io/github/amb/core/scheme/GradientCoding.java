package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.random.Streams;
import java.util.List;

/**
 * Gradient coding: every worker computes s + 1 of the n batches of a step, and the master recovers
 * the sum of all n exactly, whichever s workers are late. The update is that of {@code fmb}.
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
          "which workers share batches: neighbours, or groups of s + 1",
          "cyclic",
          FRACTIONAL);

  private final BatchPolicy policy;
  private final int workers;
  private final int stragglers;
  private final boolean fractional;

  GradientCoding(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
    workers = options.workers();
    stragglers = options.get(STRAGGLERS);
    fractional = options.get(CODE).equals(FRACTIONAL);
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
    return List.of();
  }

  /** Of all workers: a world without some of them, after the last step, computes nothing. */
  private GradientCode code(Streams streams) {
    return fractional
        ? new FractionalRepetition(stragglers)
        : new CyclicRepetition(workers, stragglers, streams.stream("gradient code", 0, 0));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    Decoding decoding =
        new Decoding(code(master.streams()), workers, (long) policy.batchSize() * workers);
    new SynchronousMaster(master, communicator, Round.ofGradients(decoding)).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    GradientCode code = code(worker.streams());
    new CodedWorker(worker, communicator, policy, code, stragglers).run();
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
    private final GradientCode code;
    private final long examples;
    private final boolean[] present;
    private final double[] weights;
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
      for (int k = 0; k < gathering.contributors(); k++) {
        scale(gathering.result(k), weights[gathering.ranks()[k] - 1]);
      }
      gathering.apply(master.update(), master.parameters(), examples, learningRate);
      return examples;
    }

    private static void scale(Frame result, double weight) {
      float factor = (float) weight;
      float[] values = result.values();
      for (int i = 0; i < result.length(); i++) {
        values[i] *= factor;
      }
      result.stat(GradientStats.LOSS_SUM, weight * result.stat(GradientStats.LOSS_SUM));
    }
  }
}
