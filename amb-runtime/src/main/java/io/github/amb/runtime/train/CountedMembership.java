package io.github.amb.runtime.train;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.LossDetector;
import io.github.amb.core.engine.Membership;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.fault.FaultyLink;
import io.github.amb.runtime.launch.ReportedWaits;
import java.util.ArrayList;
import java.util.List;

/** Worlds in which lost frames are noticed, and in which some are lost or broken on purpose. */
final class CountedMembership extends ForwardingMembership {
  private final List<Fault> pending;
  private final Clock clock;
  private final boolean launched;

  /**
   * @param faults those of links, of any worker
   * @param clock the engine's
   * @param launched whether a launcher is to know what the rank waits for
   */
  CountedMembership(Membership membership, List<Fault> faults, Clock clock, boolean launched) {
    super(membership);
    this.launched = launched;
    pending = new ArrayList<>(faults);
    this.clock = clock;
  }

  @Override
  protected Epoch joined(Epoch epoch, EngineException before) {
    pending.removeIf(fault -> fault.rank() != epoch.self());
    Communicator link =
        pending.isEmpty() ? epoch.communicator() : new FaultyLink(epoch.communicator(), pending);
    Communicator counted = new LossDetector(link, clock);
    return new Epoch(
        epoch.number(),
        epoch.members(),
        launched ? new ReportedWaits(counted, epoch.number()) : counted);
  }
}
