package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Waits, on a thread of its own, for proofs of all that connect, until no rank is to come. */
final class GateKeeper {
  /** Between two looks for those that take too long. */
  private static final long LOOK_MILLIS = 500;

  /** Strangers that wait, and that are remembered. */
  private static final int MOST = 1000;

  private final Selector selector;
  private final Set<Newcomer> waiting = new HashSet<>();
  private final List<String> strangers = new ArrayList<>();
  private boolean closed;

  GateKeeper() {
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread thread = new Thread(this::keep, "mpj-gate");
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits for a newcomer's proof; drops it at once if no rank is to come or too many wait. */
  synchronized void take(Newcomer newcomer) throws IOException {
    if (closed || waiting.size() >= MOST) {
      newcomer.drop();
      return;
    }
    waiting.add(newcomer);
    newcomer.register(selector);
    selector.wakeup();
  }

  /** Drops all that wait; returns who was dropped, from the first on. */
  synchronized List<String> close() {
    closed = true;
    List.copyOf(waiting).forEach(this::drop);
    selector.wakeup();
    return List.copyOf(strangers);
  }

  private void keep() {
    List<Newcomer> heard = new ArrayList<>();
    try (selector) {
      while (!isClosed()) {
        selector.select(key -> hear(key, heard), LOOK_MILLIS);
        decide(heard);
        heard.clear();
      }
    } catch (IOException e) {
      close();
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private static void hear(SelectionKey key, List<Newcomer> heard) {
    Newcomer newcomer = (Newcomer) key.attachment();
    if (!newcomer.read()) {
      key.cancel();
      heard.add(newcomer);
    }
  }

  private synchronized void decide(List<Newcomer> heard) throws IOException {
    // Forgets the keys of those that were heard, whose channels can only then be set blocking.
    selector.selectNow(key -> {});
    for (Newcomer newcomer : heard) {
      if (!newcomer.isProven()) {
        drop(newcomer);
      } else if (waiting.contains(newcomer)) {
        admit(newcomer);
      }
    }
    List.copyOf(waiting).stream().filter(Newcomer::isLate).forEach(this::drop);
  }

  private void admit(Newcomer newcomer) {
    try {
      newcomer.admit();
      waiting.remove(newcomer);
    } catch (IOException | RuntimeException e) {
      // It, or niodev, has ended.
      drop(newcomer);
    }
  }

  private void drop(Newcomer newcomer) {
    if (waiting.remove(newcomer)) {
      String from = newcomer.drop();
      if (strangers.size() < MOST) {
        strangers.add(from);
      }
    }
  }
}
