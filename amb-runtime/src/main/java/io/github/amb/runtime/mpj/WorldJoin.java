package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.thread.Daemon;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Forms a process group of niodev on a thread of its own. MPJ Express would wait without end for a
 * missing connection; such an attempt can be abandoned.
 */
public final class WorldJoin {
  private final WorldLoader loader = WorldLoader.create();
  private final CompletableFuture<MpjEngine> engine = new CompletableFuture<>();
  private final Thread thread;

  /**
   * Begins to form the group.
   *
   * @param generation number of the generation, from 1
   * @param args as for {@link MpjEngine#join}
   * @param meeting where ranks exchange their ports; null for MPJ Express' own place
   * @throws io.github.amb.core.option.UsageException if MPJ Express is not installed
   */
  public WorldJoin(int generation, String[] args, Rendezvous meeting) {
    thread =
        Daemon.start(
            "join-world", () -> join(generation, args, meeting), engine::completeExceptionally);
  }

  private void join(int generation, String[] args, Rendezvous meeting) {
    engine.complete(MpjEngine.join(loader, generation, args, meeting));
  }

  /** Whether this rank is connected to all others, or failed to connect. */
  public boolean isDone() {
    return engine.isDone();
  }

  /**
   * Waits until this rank is connected to all others.
   *
   * @throws io.github.amb.core.engine.LostException if a connection broke meanwhile
   * @throws EngineException if this rank cannot connect
   */
  public MpjEngine engine() {
    try {
      return engine.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof EngineException failure
          ? failure
          : new EngineException("cannot connect to the other ranks: " + e.getCause(), e.getCause());
    }
  }

  /**
   * Leaves the group, formed or not; its thread ends.
   *
   * @return rejected connections, like {@link MpjEngine#rejected}
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for what is abandoned.
  public List<String> abandon() {
    List<String> rejected = MpjEngine.leaveUnfinished(loader);
    thread.interrupt();
    engine.thenAccept(MpjEngine::abandon);
    return rejected;
  }
}
