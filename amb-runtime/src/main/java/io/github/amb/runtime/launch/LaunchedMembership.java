package io.github.amb.runtime.launch;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.runtime.mpj.MpjEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Membership as the launcher orders it: each epoch is a world of MPJ Express of its own. Without a
 * launcher the first world is the only one.
 */
public final class LaunchedMembership implements Membership {
  /** In place of a configuration: the rank joins later, when it is ordered to. */
  static final String STANDBY = "standby";

  private static final String DEVICE = "niodev";
  private static final int FIRST = 1;
  private static final long POLL_MILLIS = 50;

  /** Epochs in a row in which no step is done, after which the master gives up. */
  private static final int FRUITLESS = 5;

  private final String[] arguments;
  private final int self;
  private final long patienceMillis;
  private volatile Epoch epoch;
  private MpjEngine engine;
  private boolean training;
  private int fruitless;

  /**
   * @param arguments MPJ's three, and others
   * @param patienceSeconds how long to wait for the launcher's order once a world has ended
   */
  public LaunchedMembership(String[] arguments, double patienceSeconds) {
    this.arguments = arguments;
    self = Integer.parseInt(arguments[0]);
    patienceMillis = (long) (patienceSeconds * 1e3);
  }

  @Override
  public Epoch first() {
    if (epoch != null) {
      return epoch;
    }
    ParentWatch.onOrder(this::leaveWithout);
    if (arguments[1].equals(STANDBY)) {
      training = true;
      RankReport.ready(self);
      return await(new LostException("the launcher did not order this rank to join"));
    }
    RankReport.connecting(self, FIRST);
    engine = MpjEngine.join(arguments);
    epoch = Epoch.only(engine);
    RankReport.connected(self, epoch.number());
    return epoch;
  }

  /** The engine of the current world. */
  public MpjEngine engine() {
    return engine;
  }

  @Override
  public void training() {
    if (self == 0 && !training && ParentWatch.isLaunched()) {
      RankReport.training(self);
    }
    training = true;
  }

  @Override
  public void progress() {
    fruitless = 0;
  }

  @Override
  public boolean changes() {
    return ParentWatch.hasOrder();
  }

  @Override
  public Epoch next(EngineException failure) {
    if (!ParentWatch.isLaunched() || !training || self == 0 && ++fruitless > FRUITLESS) {
      throw failure;
    }
    engine.abandon();
    RankReport.lost(self, epoch.number());
    return await(failure);
  }

  /**
   * Ends the current world if an order leaves one of its members out: behind a link that is cut,
   * nothing else would tell.
   */
  private void leaveWithout(EpochOrder order) {
    Epoch current = epoch;
    if (current == null || order.number() <= current.number()) {
      return;
    }
    for (int rank : current.members()) {
      if (!order.members().contains(rank) && current.communicator() instanceof MpjEngine world) {
        world.end("rank " + rank + " was excluded by the launcher");
        return;
      }
    }
  }

  private Epoch await(EngineException failure) {
    try {
      EpochOrder order = ParentWatch.takeOrder(patienceMillis);
      while (order != null) {
        Epoch joined = join(order);
        if (joined != null) {
          return joined;
        }
        order = ParentWatch.takeOrder(patienceMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw failure;
  }

  /** Joins a world; null if it does not come about because a newer one is ordered. */
  private Epoch join(EpochOrder order) throws InterruptedException {
    String[] world = {Integer.toString(order.rank()), order.configuration(), DEVICE};
    CompletableFuture<MpjEngine> joining = new CompletableFuture<>();
    Thread thread = new Thread(() -> join(world, joining), "join-epoch-" + order.number());
    thread.setDaemon(true);
    RankReport.connecting(self, order.number());
    thread.start();
    while (!joining.isDone() && !ParentWatch.hasOrder()) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    if (!joining.isDone() || joining.isCompletedExceptionally()) {
      joining.thenAccept(MpjEngine::abandon);
      return null;
    }
    engine = joining.join();
    int[] members = order.members().stream().mapToInt(Integer::intValue).toArray();
    epoch = new Epoch(order.number(), members, engine);
    RankReport.connected(self, order.number());
    return epoch;
  }

  private static void join(String[] world, CompletableFuture<MpjEngine> joining) {
    try {
      joining.complete(MpjEngine.join(world));
    } catch (RuntimeException e) {
      joining.completeExceptionally(new CompletionException(e));
    }
  }
}
