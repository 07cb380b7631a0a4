package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.DelayedNesterov;
import java.util.Arrays;

/**
 * Asynchronous DiLoCo: the master takes each worker's change as it comes, by delayed Nesterov, and
 * gives each worker as many local steps as take the fastest one's time (DyLU).
 *
 * <p>{@code w ← w − η Δ/N}, and with every N-th change {@code a ← μ a + mean(Δ); w ← w − η μ a}.
 * Worker i does {@code ⌊vᵢ / max(v) H⌋} steps, vᵢ local steps per second, and one as long as its
 * speed is unknown. With N = 1 each change is a Nesterov step.
 *
 * <p>What a worker has computed is lost when it dies.
 *
 * <p>Liu et al.: "Asynchronous Local-SGD Training for Language Modeling", 2024.
 */
final class AsyncDiLoCo extends DiLoCo {
  static final Setting<Integer> INTERVAL =
      Setting.integer("momentum-interval", null, 1)
          .help("changes per step of the outer momentum, N; default the number of workers");
  static final Setting<String> STEPS_BY =
      Setting.choice("local-steps-by", "speed", "none")
          .help("local steps in proportion to a worker's speed, at most H, or H for all");

  private static final double SMOOTHING = 0.5;

  private final int interval;
  private final boolean bySpeed;

  AsyncDiLoCo(SchemeOptions options) {
    super(options);
    Integer given = options.get(INTERVAL);
    interval = given == null ? options.workers() : given;
    bySpeed = options.get(STEPS_BY).equals("speed");
  }

  @Override
  public void master(Master master) {
    int size = master.context().parameters().length;
    OuterUpdate outer =
        new OuterUpdate(master, new DelayedNesterov(size, momentum, interval), learningRate);
    double[] seconds = new double[master.workers()]; // per local step; 0 if unknown
    master.context().state().register("seconds", state -> state.doubles("all", seconds));
    Message assignment = new Message();
    while (master.nextStep()) {
      for (int rank = 1; rank <= master.workers(); rank++) {
        if (master.isIdle(rank)) {
          int most = bySpeed ? steps(seconds, rank - 1) : localSteps;
          int steps = master.step() > after ? most : 1;
          assignment.reset(Message.Kind.ASSIGNMENT, master.step()).asIterations().set(steps, 0);
          master.communicator().send(rank, assignment, Clock.NEVER);
        }
      }
      master.broadcast(); // w to the worker whose change has come; at first to all
      Result change = master.receiveAny(); // the next Δᵢ
      int worker = change.source() - 1;
      double now = change.computeTime() / Math.max(1, change.localSteps());
      seconds[worker] += (seconds[worker] == 0 ? 1 : SMOOTHING) * (now - seconds[worker]);
      outer.update(); // w ← w − η Δᵢ/N, and momentum with every N-th
      master.record();
    }
  }

  /** Local steps of a worker: as many as take the time of H steps of the fastest. */
  private int steps(double[] seconds, int worker) {
    double fastest = Arrays.stream(seconds).filter(each -> each > 0).min().orElse(0);
    double share = seconds[worker] > 0 ? fastest / seconds[worker] : 0;
    return (int) Math.max(1, Math.floor(share * localSteps + 1e-6)); // Times are rounded.
  }

  @Override
  public void worker(Worker worker) {
    trainAssigned(worker);
  }
}
