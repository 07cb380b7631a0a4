package io.github.amb.runtime.train.rank;

import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.DuplicateFilter;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.LossDetector;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.topology.Topology;
import io.github.amb.runtime.checkpoint.StateSender;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.fault.FaultInjector;
import io.github.amb.runtime.fault.FaultyClock;
import io.github.amb.runtime.fault.FaultyLink;
import io.github.amb.runtime.fault.RankFaults;
import io.github.amb.runtime.launch.LaunchedMembership;
import java.util.function.Consumer;

/**
 * The layers between a scheme and its engine. A message that is sent passes them in this order, one
 * that is received in the opposite one:
 *
 * <ol>
 *   <li>{@link FaultInjector}, at a worker with {@code --inject}. Above all others, so that a
 *       result that it spoils meets the layers that notice.
 *   <li>{@link FiniteFilter}, with {@code --non-finite drop}. Above the codec, which rejects what
 *       is not finite at a worker, and decodes at the master what the filter looks at.
 *   <li>The codec, {@link Codings}. What schemes see is decoded, and what all layers below see is
 *       what is on the wire.
 *   <li>The {@link Topology}. It cuts what is on the wire into slices, and adds gradients, whose
 *       slices it encodes itself. Above the layers that notice lost messages, as slices may be
 *       lost.
 *   <li>{@link StateSender} at a worker, and its counterpart that {@code LastStep.collecting} puts
 *       in at the master before it admits workers. Below the codec, as states are not encoded, and
 *       a worker's is kept before parameters change it.
 *   <li>The report of waits to the launcher, at ranks that it started. Above the counting, whose
 *       own messages are no progress.
 *   <li>{@link LossDetector}. Above the filter, as it must not count what comes twice.
 *   <li>{@link DuplicateFilter}.
 *   <li>{@link FaultyLink}, at a worker with {@code --inject}. Below the layers that notice, so
 *       that its faults meet them as those of a network do.
 * </ol>
 *
 * <p>The last four belong to a generation, and come with its {@linkplain #checked membership}.
 * Above all of them, the scheme itself may simulate delays of messages.
 *
 * @param codings how vectors are encoded
 * @param topology the way of vectors
 * @param streams the run's random streams
 * @param clock the engine's clock
 * @param dropped decides on results that are not finite, and logs them; null if they end the run
 * @param warnings receives a line per dropped message
 */
public record LinkLayers(
    Codings codings,
    Topology topology,
    Streams streams,
    Clock clock,
    DroppedResults dropped,
    Consumer<String> warnings) {
  /**
   * A membership whose communicators notice lost messages and drop duplicates.
   *
   * @param faults of this rank
   */
  public Membership checked(Membership membership, RankFaults faults) {
    return new CheckedMembership(membership, faults);
  }

  /**
   * The communicator of the master's scheme.
   *
   * @param link of the generation, which collects the workers' states
   */
  public Communicator master(MasterContext master, Communicator link) {
    Communicator coded =
        topology.master(link, codings, master.clock(), master.update(), streams, master.state());
    return filtered(coded, master.update().layout(), 0);
  }

  /**
   * The communicator of a worker's scheme.
   *
   * @param generation whose communicator the scheme's is made of
   * @param received keeps the worker's state
   * @param always whether it is kept whenever parameters come
   * @param faults of this worker
   * @param own the worker's clock; receives the number of each step
   * @param signals ends or stops this rank
   */
  public Communicator worker(
      WorkerContext worker,
      Membership.Generation generation,
      StateMap received,
      boolean always,
      RankFaults faults,
      FaultyClock own,
      FaultInjector.Signals signals) {
    Layout layout = worker.source().layout();
    Communicator sender = new StateSender(generation, worker.state(), received, always);
    Communicator coded =
        topology.worker(sender, codings, worker.clock(), layout, streams, worker.state());
    Communicator filtered = filtered(coded, layout, codings.uplink().isNone() ? 0 : worker.rank());
    return faults.isEmpty() ? filtered : new FaultInjector(filtered, faults, own, signals);
  }

  private Communicator filtered(Communicator communicator, Layout layout, int encoder) {
    return dropped == null
        ? communicator
        : new FiniteFilter(communicator, layout, encoder, dropped);
  }

  private final class CheckedMembership extends ForwardingMembership {
    private final RankFaults faults;
    private final LaunchedMembership launched;

    CheckedMembership(Membership membership, RankFaults faults) {
      super(membership);
      launched = membership instanceof LaunchedMembership ours ? ours : null;
      this.faults = faults;
    }

    @Override
    protected Generation joined(Generation generation, EngineException before) {
      Communicator engine = generation.communicator();
      Communicator link =
          faults.has(Fault.Place.LINK) ? new FaultyLink(engine, faults, clock) : engine;
      Communicator filter = new DuplicateFilter(link, generation.members(), warnings);
      Communicator counted = new LossDetector(filter, clock);
      return new Generation(
          generation.number(),
          generation.members(),
          launched == null ? counted : launched.reporting(counted, generation.number()),
          generation.reason());
    }
  }
}
