package io.github.amb.runtime.fault;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.Membership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The faults of one rank in all its generations: what begins in which step, each occurrence once.
 * Steps and changes of the members come in; what is due goes out, and is told to the journal.
 *
 * <p>A process that replaces another has the occurrences after its first step. So an occurrence
 * ends one process, not its replacement.
 */
public final class RankFaults {
  private static final int NONE = -1;

  private final List<Fault> faults;
  private final int self;
  private final Consumer<Injected> journal;
  private final List<Occurrence> coming = new ArrayList<>();
  private final List<Fault> awaited = new ArrayList<>();
  private long first = NONE;
  private int events;
  private boolean replacement;
  private Set<Integer> members; // null before the first generation

  /** One occurrence that has not ended. */
  private static final class Occurrence {
    final Fault fault;
    final long start;
    final int number;
    boolean begun;

    Occurrence(Fault fault, long start, int number) {
      this.fault = fault;
      this.start = start;
      this.number = number;
    }

    boolean lasts(long step) {
      return fault.kind().lasts() && step < start + fault.steps();
    }
  }

  /**
   * @param campaign faults of all ranks
   * @param self this rank's number in the run
   * @param journal receives each occurrence when it begins
   */
  public RankFaults(List<Fault> campaign, int self, Consumer<Injected> journal) {
    this.self = self;
    this.journal = journal;
    faults = campaign.stream().filter(fault -> fault.ranks().contains(self)).toList();
    faults.stream().filter(fault -> fault.when() == null).forEach(fault -> add(fault, 0));
  }

  private void add(Fault fault, long before) {
    int number = events * fault.starts().size();
    for (long start : fault.starts()) {
      number++;
      coming.add(new Occurrence(fault, before + start, number));
    }
  }

  /** Whether nothing ever happens to this rank. */
  public boolean isEmpty() {
    return faults.isEmpty();
  }

  /** Whether anything may happen in a place. */
  public boolean has(Fault.Place place) {
    return faults.stream().anyMatch(fault -> fault.kind().place() == place);
  }

  /** Whether a kind of fault may happen. */
  boolean has(Fault.Kind kind) {
    return faults.stream().anyMatch(fault -> fault.kind() == kind);
  }

  /** The same membership, whose generations are the events of faults. */
  public Membership watching(Membership membership) {
    replacement = membership.isReplacement();
    return isEmpty()
        ? membership
        : new ForwardingMembership(membership) {
          @Override
          protected Generation joined(Generation generation, EngineException before) {
            entered(Arrays.stream(generation.members()).boxed().collect(Collectors.toSet()));
            return generation;
          }
        };
  }

  /** A generation with these ranks begins. */
  synchronized void entered(Set<Integer> now) {
    Set<Integer> before = members;
    members = now;
    for (Fault fault : faults) {
      Fault.Event event = fault.when();
      boolean is = event != null && now.contains(event.rank());
      boolean was = before == null ? !replacement : event != null && before.contains(event.rank());
      boolean known = before != null || event != null && event.rank() == self;
      if (event != null && known && is == event.joined() && was != is) {
        awaited.add(fault);
      }
    }
  }

  /** A step begins; the first one decides which occurrences are over. */
  synchronized void reached(long step) {
    if (first == NONE) {
      first = step;
      coming.removeIf(
          next -> replacement ? next.start <= step : next.start < step && !next.lasts(step));
    }
    for (Fault fault : awaited) {
      add(fault, step - 1);
      events++;
    }
    awaited.clear();
  }

  /**
   * The faults in a place that begin in a step, and are over at once. Each is returned once. A
   * message has one fault of the link, the first kind, and the next message has another.
   *
   * @param time seconds since the rank's first step
   */
  synchronized List<Fault> due(Fault.Place place, long step, double time) {
    List<Occurrence> due =
        coming.stream()
            .filter(next -> next.fault.kind().place() == place && next.start <= step)
            .filter(next -> !next.fault.kind().lasts())
            .sorted(Comparator.comparing(next -> next.fault.kind()))
            .limit(place == Fault.Place.LINK ? 1 : Long.MAX_VALUE)
            .toList();
    coming.removeAll(due);
    due.forEach(next -> begin(next, step, time));
    return due.stream().map(next -> next.fault).toList();
  }

  /** The faults in a place that last in a step. */
  synchronized List<Fault> lasting(Fault.Place place, long step, double time) {
    coming.removeIf(next -> next.begun && !next.lasts(step));
    List<Fault> lasting = new ArrayList<>();
    for (Occurrence next : coming) {
      if (next.fault.kind().place() == place && next.start <= step && next.lasts(step)) {
        begin(next, step, time);
        lasting.add(next.fault);
      }
    }
    return lasting;
  }

  private void begin(Occurrence next, long step, double time) {
    if (!next.begun) {
      next.begun = true;
      Fault fault = next.fault;
      journal.accept(
          new Injected(
              fault.id() + "#" + next.number,
              fault.incident(),
              fault.kind().toString(),
              self,
              step,
              time));
    }
  }
}
