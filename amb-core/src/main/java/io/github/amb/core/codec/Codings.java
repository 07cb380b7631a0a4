package io.github.amb.core.codec;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import java.util.ArrayList;
import java.util.List;

/**
 * How vectors are put on the wire in both directions.
 *
 * @param uplink gradients and deltas, workers to master
 * @param downlink parameters, master to workers, as differences from what a worker has
 */
public record Codings(Coding uplink, Coding downlink) {
  /** Everything as it is. */
  public static final Codings NONE = new Codings(Coding.NONE, Coding.NONE);

  /**
   * @throws UsageException if parameters cannot go by {@code downlink}
   */
  public Codings {
    if (downlink.codec().receiver() != downlink.codec()) {
      throw new UsageException(
          "downlink codec %s: expected one without error feedback, found %s; the difference from"
                  .formatted(downlink.text(), downlink.text())
              + " what a worker has is what it lacks already");
    }
    if (downlink.codec().hook().isPresent() || downlink.codec().isStalenessAware()) {
      throw new UsageException(
          "downlink codec %s: expected one for parameters, found one for gradients"
              .formatted(downlink.text()));
    }
  }

  /**
   * What of this does not go together with a scheme, one line each; empty if all does.
   *
   * @param scheme what the user typed
   * @param uplink what the scheme's workers send
   * @param exactParameters whether workers must have the parameters as they are
   */
  public List<String> problems(String scheme, Uplink uplink, boolean exactParameters) {
    List<String> problems = new ArrayList<>();
    if (!this.uplink.codec().carries(uplink)) {
      problems.add(
          switch (uplink) {
            case COMBINATIONS ->
                "--codec %s: expected one without loss, as the master of scheme %s multiplies what comes"
                        .formatted(this.uplink.text(), scheme)
                    + " by large weights, found one with loss; use none+zstd";
            default ->
                "--codec %s: expected one that keeps magnitudes, as workers of scheme %s send changes"
                        .formatted(this.uplink.text(), scheme)
                    + " of parameters, found one that sends signs alone; use ef-sign";
          });
    }
    if (exactParameters && downlink.codec() != Plain.INSTANCE) {
      problems.add(
          "--downlink-codec %s: expected one without loss, as scheme %s corrects with the parameters"
                  .formatted(downlink.text(), scheme)
              + " that a worker was sent, found one with loss; use none");
    }
    return problems;
  }

  /** Whether nothing is encoded. */
  public boolean isNone() {
    return uplink.isNone() && downlink.isNone();
  }

  /**
   * The master's communicator.
   *
   * @param engine carries the messages
   * @param update the master's update, in which a codec may take part
   * @param state what the master remembers
   */
  public Communicator master(
      Communicator engine, Clock clock, MasterUpdate update, Streams streams, StateRegistry state) {
    return isNone() ? engine : new MasterCodecs(engine, clock, this, update, streams, state);
  }

  /**
   * A worker's communicator.
   *
   * @param engine carries the messages
   * @param layout of the vectors
   * @param state what the worker remembers
   */
  public Communicator worker(
      Communicator engine, Clock clock, Layout layout, Streams streams, StateRegistry state) {
    return isNone() ? engine : new WorkerCodecs(engine, clock, this, layout, streams, state);
  }
}
