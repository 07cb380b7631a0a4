package io.github.amb.core.scheme;

import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.LocalModel;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.Sgd;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Local SGD: H steps at each worker, then the mean of all parameters. The choice where messages are
 * slow beside a step. With H = 1 and an update rule that is linear in the gradient, such as sgd, it
 * is {@code fmb}.
 *
 * <p>{@code w ← w − 1/n Σᵢ Δᵢ, Δᵢ = w − wᵢ}, where wᵢ is what H steps of worker i make of w.
 *
 * <p>Stich: "Local SGD Converges Fast and Communicates Little", ICLR 2019; with single steps at
 * first, Lin et al.: "Don't Use Large Mini-Batches, Use Local SGD", ICLR 2020.
 */
public class LocalSgd extends BatchScheme {
  /** The number H of local steps per update of the master. */
  public static final Setting<Integer> LOCAL_STEPS =
      Setting.integer("local-steps", 10, 1).help("local steps per update of the master, H");

  /** The number of updates before there are local steps (post-local SGD). */
  public static final Setting<Integer> LOCAL_STEPS_AFTER =
      Setting.integer("local-steps-after", 0, 0)
          .help("updates with one local step each, before there are more; a warm-up");

  final int localSteps;
  final int after;

  LocalSgd(SchemeOptions options) {
    super(BatchPolicy.fixed(options.batchSize()), Uplink.CHANGES);
    localSteps = options.get(LOCAL_STEPS);
    after = options.get(LOCAL_STEPS_AFTER);
  }

  @Override
  public void master(Master master) {
    OuterUpdate mean = new OuterUpdate(master, new Sgd(), 1);
    while (master.nextStep()) {
      master.broadcast(); // w to all
      master.gather(master.workers()); // Δᵢ of each
      mean.update(); // w ← w − 1/n Σ Δᵢ
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    train(worker, worker.localModel(), order -> {}, () -> localSteps(worker));
  }

  /** Number of local steps in this round. */
  final int localSteps(Worker worker) {
    return worker.step() > after ? localSteps : 1;
  }

  /**
   * The loop of a worker that takes local steps.
   *
   * @param orders takes what else the master sends
   * @param localSteps asked once per round
   */
  static void train(
      Worker worker, LocalModel local, Consumer<? super Message> orders, IntSupplier localSteps) {
    while (worker.receive(orders)) { // w
      local.begin(); // wᵢ ← w
      int steps = localSteps.getAsInt();
      for (int h = 0; h < steps; h++) {
        local.step(); // wᵢ ← wᵢ − η gᵢ(wᵢ), or by another rule
      }
      local.send(); // Δᵢ = w − wᵢ
    }
  }

  /** The loop of a worker whose number of local steps comes before the parameters. */
  static void trainAssigned(Worker worker) {
    int[] steps = new int[1];
    LocalModel local = worker.localModel();
    train(worker, local, order -> steps[0] = order.asIterations().count(), () -> steps[0]);
  }
}
