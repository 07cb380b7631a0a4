package io.github.amb.runtime.train;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.DuplicateFilter;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.LossDetector;
import io.github.amb.core.engine.Membership;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.fault.FaultyLink;
import io.github.amb.runtime.launch.LaunchedMembership;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A membership whose communicators notice lost messages and drop duplicates. Injected faults of
 * links happen here.
 */
final class CheckedMembership extends ForwardingMembership {
  private final List<Fault> pending;
  private final Clock clock;
  private final LaunchedMembership launched;
  private final Consumer<String> warnings;

  /**
   * @param membership the checked one
   * @param faults faults of links, of all workers
   * @param clock the engine's clock
   * @param warnings receives a line per dropped message
   */
  CheckedMembership(
      Membership membership, List<Fault> faults, Clock clock, Consumer<String> warnings) {
    super(membership);
    this.warnings = warnings;
    launched = membership instanceof LaunchedMembership ours ? ours : null;
    pending = new ArrayList<>(faults);
    this.clock = clock;
  }

  @Override
  protected Generation joined(Generation generation, EngineException before) {
    pending.removeIf(fault -> fault.rank() != generation.self());
    Communicator link =
        pending.isEmpty()
            ? generation.communicator()
            : new FaultyLink(generation.communicator(), pending);
    Communicator counted = new LossDetector(new DuplicateFilter(link, warnings), clock);
    return new Generation(
        generation.number(),
        generation.members(),
        launched == null ? counted : launched.reporting(counted, generation.number()));
  }
}
