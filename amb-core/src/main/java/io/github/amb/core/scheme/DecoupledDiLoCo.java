package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Decoupled DiLoCo: {@code streaming-diloco} whose master waits for K workers, and then for those
 * that come while the overlap lasts. What is later is dropped. A worker that is slower than the
 * K-th fastest does fewer local steps: as many as end before that worker's overlap, at least one.
 *
 * <p>Changes have weights {@code wᵢ = cᵢ²/sᵢ}, with cᵢ examples in sᵢ local steps since the worker
 * took the fragment, and are averaged by norm and direction, tensor by tensor: {@code Δ = (Σ w ‖v‖
 * / Σ w) φ(Σ w φ(v)), φ(v) = v/‖v‖}. Where directions cancel, and for running statistics, it is the
 * weighted mean. The grace time is {@code γ (τ ξ − ξ_q)}, with ξ seconds per local step of the K-th
 * fastest worker, and ξ_q from the first worker to the K-th. With all workers in the quorum, P = 1,
 * τ = 0 and means it is {@code diloco}, bit for bit, if workers are equally fast.
 *
 * <p>What a worker has computed since each fragment was exchanged is lost when it dies. A worker
 * that is late loses its change of one fragment.
 *
 * <p>"Decoupled DiLoCo", arXiv 2604.21428, 2026. That workers end by time is ours; there the master
 * asks for changes.
 */
final class DecoupledDiLoCo extends StreamingDiLoCo {
  static final Setting<Integer> QUORUM =
      Setting.integer("quorum", 1, 1)
          .help("workers that each update waits for, K; all that are left if they are fewer");
  static final Setting<Double> GRACE =
      Setting.notNegative("grace", 1.0)
          .help("how long others are waited for, gamma, times what is left of the overlap");
  static final Setting<String> AVERAGE =
      Setting.choice("outer-average", "radial", "mean")
          .help("changes are averaged by norm and direction, or entry by entry");

  private static final double SMOOTHING = 0.5;

  private final int quorum;
  private final double grace;
  private final boolean radial;
  private final int batchSize;

  DecoupledDiLoCo(SchemeOptions options) {
    super(options, 0);
    quorum = options.get(QUORUM);
    grace = options.get(GRACE);
    radial = options.get(AVERAGE).equals("radial");
    batchSize = options.batchSize();
  }

  @Override
  public void master(Master master) {
    Layout layout = master.context().update().layout();
    Fragments fragments = fragments(layout);
    OuterUpdate outer = outerOpt(master);
    Clock clock = master.context().clock();
    double[] seconds = new double[master.workers()]; // per local step; 0 if unknown
    master.context().state().register("seconds", state -> state.doubles("all", seconds));
    float[] mean = new float[layout.size()];
    int least = Math.min(quorum, master.workers());
    while (master.nextStep()) {
      double step = stepTime(seconds, least); // ξ
      master.timeLimit(
          step > 0
              ? (before(master.step()) + overlap(master.step())) * step
              : Double.POSITIVE_INFINITY);
      master.broadcast(); // θ to all that wait for it
      learn(master.receiveUntil(Clock.NEVER), seconds); // the first θₚ − θᵢₚ
      long first = clock.now();
      while (master.results() < least) {
        learn(master.receiveUntil(Clock.NEVER), seconds);
      }
      double slack =
          overlap(master.step()) * stepTime(seconds, least) - Clock.seconds(first, clock.now());
      long end = clock.now() + Clock.nanos(Math.max(0, grace * slack));
      Result next = null;
      do {
        next = master.results() < master.workers() ? master.receiveUntil(end) : null;
        if (next != null) {
          learn(next, seconds);
        }
      } while (next != null);
      Gathering changes = master.gathered();
      if (radial && changes.withExamples() > 0) {
        int turn = fragments.of(master.step());
        for (int b = 0; b < layout.blocks().size(); b++) {
          if (fragments.ofBlock(b) == turn) {
            average(changes, layout.blocks().get(b), mean);
          }
        }
        outer.update(FloatBuffer.wrap(mean)); // θₚ ← OuterOpt(θₚ, Δₚ)
      } else {
        weigh(changes, layout.size());
        outer.update(); // the same, with a weighted mean
      }
      master.record();
    }
  }

  private void learn(Result change, double[] seconds) {
    if (change.examples() > 0) {
      int worker = change.source() - 1;
      double now = change.computeTime() * batchSize / change.examples();
      seconds[worker] += (seconds[worker] == 0 ? 1 : SMOOTHING) * (now - seconds[worker]);
    }
  }

  /** Seconds per local step of the K-th fastest worker; 0 as long as fewer are known. */
  private static double stepTime(double[] seconds, int least) {
    double[] known = Arrays.stream(seconds).filter(each -> each > 0).sorted().toArray();
    return known.length < least ? 0 : known[least - 1];
  }

  /** Multiplies changes so that their mean is the weighted one. */
  private static void weigh(Gathering changes, int size) {
    double weights = 0;
    for (int k = 0; k < changes.contributors(); k++) {
      weights += weight(changes.result(k));
    }
    for (int k = 0; k < changes.contributors() && weights > 0; k++) {
      double share = weight(changes.result(k)) / weights;
      changes.result(k).message().multiply(0, size, (float) (share * changes.withExamples()));
    }
  }

  /**
   * Averages the changes of a block by norm and direction.
   *
   * @param mean the flat vector, of which the block's entries are written
   */
  static void average(Gathering changes, Block block, float[] mean) {
    int size = block.length();
    double[] sum = new double[size]; // Σ w v
    double[] direction = new double[size]; // Σ w φ(v)
    double weights = 0;
    double norms = 0;
    for (int k = 0; k < changes.contributors(); k++) {
      Result change = changes.result(k);
      double weight = weight(change);
      float[] values = change.message().values();
      double norm = norm(values, block.offset(), size);
      weights += weight;
      norms += weight * norm;
      for (int i = 0; i < size && weight > 0; i++) {
        double value = weight * values[block.offset() + i];
        sum[i] += value;
        direction[i] += norm > 0 ? value / norm : 0;
      }
    }
    double length = 0;
    for (double each : direction) {
      length += each * each;
    }
    length = Math.sqrt(length);
    boolean cancel = length <= 1e-6 * weights;
    boolean plain = cancel || block.kind() == Block.Kind.RUNNING_STATISTIC;
    for (int i = 0; i < size; i++) {
      double average = plain ? sum[i] : norms * direction[i] / length;
      mean[block.offset() + i] = (float) (average / weights);
    }
  }

  /** All steps have batches of one size c, so that c²s²/s is in proportion to s. */
  private static double weight(Result change) {
    return change.examples() > 0 ? change.localSteps() : 0;
  }

  private static double norm(float[] values, int from, int size) {
    double sum = 0;
    for (int i = from; i < from + size; i++) {
      sum += (double) values[i] * values[i];
    }
    return Math.sqrt(sum);
  }
}
