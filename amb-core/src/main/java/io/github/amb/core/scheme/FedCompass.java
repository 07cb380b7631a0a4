package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.Sgd;
import java.util.List;

/**
 * FedCompass: the master gives each worker as many local steps, from Q_min to Q_max, as let it
 * arrive together with others. A worker joins the group of arrivals that lets it do most steps; if
 * none fits, it opens one that meets the fastest worker's arrival after the next. An update follows
 * when all of a group have come, or at its latest time, λ times as long as expected. It takes all
 * that has come. Who comes later is late: its change counts in the next update, weakened.
 *
 * <p>{@code w ← w − η 1/n Σ s(τᵢ) Δᵢ} over those that have come of n workers, {@code s(τ) = 1/√(1 +
 * τ)}. Workers of equal speed do Q_max steps each, as in {@code local-sgd}, bit for bit, once their
 * speed is known.
 *
 * <p>What a worker has computed is lost when it dies; all speeds are measured again.
 *
 * <p>Li et al.: "FedCompass: Efficient Cross-Silo Federated Learning on Heterogeneous Client
 * Devices Using a Computing Power-Aware Scheduler", ICLR 2024.
 */
final class FedCompass extends FedAvg {
  static final Setting<Integer> MIN =
      Setting.integer("local-steps-min", 2, 1).help("fewest local steps of a worker, Q_min");
  static final Setting<Integer> MAX =
      Setting.integer("local-steps-max", 10, 1).help("most local steps of a worker, Q_max");
  static final Setting<Double> LATENESS =
      Setting.real("latest-arrival", 1.5)
          .in("1 or more", value -> value >= 1)
          .help("how long a group is waited for, times the expected time");

  private final int min;
  private final int max;
  private final double lateness;

  FedCompass(SchemeOptions options) {
    super(options);
    min = options.get(MIN);
    max = options.get(MAX);
    lateness = options.get(LATENESS);
  }

  static List<String> problems(SchemeOptions options) {
    return options.get(MIN) <= options.get(MAX)
        ? List.of()
        : List.of(
            "--local-steps-min: expected 1 to %d (--local-steps-max), found %d"
                .formatted(options.get(MAX), options.get(MIN)));
  }

  @Override
  public void master(Master master) {
    Arrivals arrivals = new Arrivals(master, min, max, lateness, after);
    master.context().state().registerOfRounds("arrivals", arrivals);
    OuterUpdate outer = new OuterUpdate(master, new Sgd(), learningRate);
    while (master.nextStep()) {
      int changes = 0;
      boolean complete = false;
      for (int rank = 1; rank <= master.workers(); rank++) {
        arrivals.assign(rank); // Qᵢ and w to each that is idle
      }
      while (!complete) {
        Result change = master.receiveAny(FedBuff::weight, arrivals.deadline());
        if (change != null) {
          changes += change.examples() > 0 ? 1 : 0;
          complete = arrivals.arrived(change);
        }
        complete |= arrivals.expired() && master.results() > 0;
      }
      outer.update(changes > 0 ? master.workers() : 0); // w ← w − η 1/n Σ s(τᵢ) Δᵢ
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    LocalSgd.trainAssigned(worker);
  }
}
