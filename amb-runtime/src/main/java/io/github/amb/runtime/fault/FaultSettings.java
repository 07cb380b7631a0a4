package io.github.amb.runtime.fault;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.update.DivergedException;

/** The options of failures, and of faults to rehearse. */
public interface FaultSettings {
  /** Values of {@link #NON_FINITE}. */
  String HALT = "halt";

  String DROP = "drop";
  Setting<Integer> MIN_WORKERS =
      integer("min-workers", 1, 1, 10_000).help("the run ends if fewer workers are left");
  Setting<Double> DEAD_AFTER =
      real("dead-after", 5.0)
          .in("seconds, 0.1 to 1000000", v -> v >= 0.1 && v <= 1e6)
          .help(
              "seconds without a heartbeat before a warning, or before lost connections are re-established");
  Setting<Double> STALL_AFTER =
      real("stall-after", 30.0)
          .in("seconds, 3 to 1000000", v -> v >= 3 && v <= 1e6) // Heartbeats come once a second.
          .help("seconds without a heartbeat before a rank is killed and removed from the run");
  Setting<Integer> RESPAWN =
      integer("respawn", 0, 0, 1_000_000)
          .help("replacements to start for failed workers, in total");
  Setting<Integer> RESTARTS =
      integer("restarts", 0, 0, 1_000_000)
          .help("how often a run that failed is resumed by itself, within --restart-window");
  Setting<Double> RESTART_WINDOW =
      positive("restart-window", 3600.0)
          .in("seconds above 0", v -> v > 0)
          .help("after this time a restart is not counted any more");
  Setting<String> NON_FINITE =
      oneOf("non-finite", HALT, DROP)
          .help(
              "what a result with NaN or infinity does: end the run, or be dropped; %s steps without a finite result always end the run"
                  .formatted(DivergedException.MAX_EMPTY));
  Setting<String> INJECT =
      text("inject", null).in(Fault.FORMS).help("faults to rehearse, such as kill:rank=2,step=50");
}
