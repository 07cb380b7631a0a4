package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.WorldJoin;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Membership as the launcher orders it: each generation is a process group of MPJ Express of its
 * own. Without a launcher there is only the first generation.
 */
public final class LaunchedMembership implements Membership, RankControl.Listener {
  /** Stands in place of the configuration of a replacement, which joins when it is ordered to. */
  public static final String STANDBY = "standby";

  private static final String DEVICE = "niodev";
  private static final int FIRST = 1;
  private static final long POLL_MILLIS = 50;

  /** Exit code of a process that SIGTERM has ended. */
  private static final int TERMINATED = 143;

  /** How long a signal to this worker may be one to all ranks, which the launcher then ends. */
  private static final long NOTICE_MILLIS = 250;

  /** How long a worker that leaves keeps a result that the master may no longer wait for. */
  private static final long HOLD_MILLIS = 1000;

  private final String[] arguments;
  private final RankControl control;
  private final int self;
  private final long patienceMillis;
  private volatile Generation generation;
  private final List<Order.Release> releases = new CopyOnWriteArrayList<>();
  private volatile WaitReports waits;
  private MpjEngine engine;
  private boolean training;
  private volatile int ended;
  private volatile String reason;

  /**
   * @param arguments MPJ Express' three, then others
   * @param control the connection to the launcher
   * @param patienceSeconds limit of the wait for the launcher's order after the end of a generation
   */
  public LaunchedMembership(String[] arguments, RankControl control, double patienceSeconds) {
    this.arguments = arguments;
    this.control = control;
    self = control.rank();
    patienceMillis = (long) (patienceSeconds * 1e3);
  }

  @Override
  public Generation first() {
    if (generation != null) {
      return generation;
    }
    if (!control.isLaunched()) {
      engine = MpjEngine.join(arguments);
      generation = Generation.only(engine);
      return generation;
    }
    control.onOrder(this);
    MpjEngine first = null;
    if (isReplacement()) {
      control.send(new RankReport.Ready());
    } else {
      first = join(FIRST, arguments);
    }
    return first == null
        ? await(new LostException("the launcher sent no order to join"))
        : enter(Generation.only(first), first);
  }

  @Override
  public boolean isReplacement() {
    return arguments[1].equals(STANDBY);
  }

  /** A communicator whose waits are reported to our launcher, if it started this rank. */
  public Communicator reporting(Communicator communicator, int generation) {
    if (!control.isLaunched()) {
      return communicator;
    }
    WaitReports reports =
        new WaitReports(communicator, generation, () -> control.awaitExit(HOLD_MILLIS));
    if (self != Communicator.MASTER && waits == null) {
      new StopHook("leave", this::signalled);
    }
    waits = reports;
    control.reportWaits(reports::now);
    return reports;
  }

  /** Trains on after a signal to this worker, until the launcher lets the process end. */
  private void signalled() {
    if (!control.awaitExit(NOTICE_MILLIS)) {
      askToLeave();
    }
  }

  private void askToLeave() {
    control.send(new RankReport.Leaving(generation.number(), waits.announce()));
    control.awaitExit(Long.MAX_VALUE);
    Runtime.getRuntime().halt(TERMINATED);
  }

  @Override
  public void leave() {
    Daemon.start("leave", this::askToLeave);
  }

  @Override
  public void release(Order.Release order) {
    releases.add(order);
  }

  private boolean isDue(Order.Release order) {
    int rank = Arrays.binarySearch(generation.members(), order.rank());
    return order.generation() == generation.number() && waits.taken(rank) >= order.results();
  }

  /** The engine of the current generation. */
  public MpjEngine engine() {
    return engine;
  }

  @Override
  public void training() {
    if (self == 0 && !training && control.isLaunched()) {
      training = true;
      control.send(new RankReport.Training());
    }
  }

  @Override
  public void trainingOver() {
    control.send(new RankReport.Over());
  }

  @Override
  public boolean changes() {
    return control.hasOrder() || releases.stream().anyMatch(this::isDue);
  }

  @Override
  public Generation next(EngineException failure) {
    if (!control.isLaunched()) {
      throw failure;
    }
    if (self == 0 && failure instanceof MalformedMessageException broken) {
      control.send(new RankReport.Malformed(generation.number(), broken.source(), broken.reason()));
    }
    engine.abandon();
    control.send(new RankReport.Lost(generation.number()));
    return await(failure);
  }

  /**
   * Ends the current generation if an order removes one of its members. Behind a cut link, nothing
   * else reports that.
   */
  @Override
  public void form(Order.Form order) {
    Generation current = generation;
    if (current == null || order.generation() <= current.number()) {
      return;
    }
    for (int rank : current.members()) {
      if (!order.members().contains(rank)) {
        end(current.number(), "rank " + rank + " was removed by the launcher");
        return;
      }
    }
  }

  @Override
  public void end(int number, String reason) {
    this.reason = reason;
    ended = number;
    Generation current = generation;
    if (current != null
        && current.number() <= number
        && current.communicator() instanceof MpjEngine world) {
      world.end(reason);
    }
  }

  private Generation await(EngineException failure) {
    try {
      Order.Form order = control.takeOrder(patienceMillis);
      while (order != null) {
        Generation joined = join(order);
        if (joined != null) {
          return joined;
        }
        order = control.takeOrder(patienceMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw failure;
  }

  private Generation join(Order.Form order) {
    String configuration = RankCommand.configuration(order.members().size());
    String[] world = {Integer.toString(order.rank()), configuration, DEVICE};
    MpjEngine joined = join(order.generation(), world);
    int[] members = order.members().stream().mapToInt(Integer::intValue).toArray();
    return joined == null
        ? null
        : enter(new Generation(order.generation(), members, joined, order.reason()), joined);
  }

  /**
   * Connects to the ranks of a generation; null if that generation is ended meanwhile, or a newer
   * one is ordered.
   */
  private MpjEngine join(int number, String[] world) {
    control.send(new RankReport.Connecting(number));
    WorldJoin joining = new WorldJoin(number, world, control.meeting(number));
    try {
      while (!joining.isDone() && ended < number && !control.hasOrder()) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      if (joining.isDone() && ended < number) {
        return joining.engine();
      }
    } catch (EngineException e) {
      // A failure of the first connection, other than a broken one, would only repeat.
      if (number == FIRST && !(e instanceof LostException)) {
        throw e;
      }
      if (!control.hasOrder()) {
        System.err.println("amb: generation " + number + ": " + e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    drops(number, false, joining.abandon());
    return null;
  }

  private Generation enter(Generation joined, MpjEngine world) {
    engine = world;
    engine.numbers(joined.members());
    generation = joined;
    // Rejected since the last query: before this generation formed, or without one.
    if (ended >= joined.number()) {
      world.end(reason);
    } else if (control.hasOrder()) {
      world.end("the launcher ordered another generation");
    }
    control.send(new RankReport.Connected(joined.number()));
    drops(joined.number(), true, world.rejected());
    return joined;
  }

  private void drops(int generation, boolean formed, List<String> rejected) {
    if (!rejected.isEmpty()) {
      control.send(new RankReport.Rejected(generation, formed, rejected));
    }
  }
}
