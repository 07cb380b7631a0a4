package io.github.amb.openmpi;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;

/**
 * The communicator of a rank that the site's MPI started. Payloads are sent from and received into
 * off-heap memory that messages borrow, so that a scheme which asks for it copies nothing. The
 * master broadcasts long payloads by MPI's tree, as all workers wait for them. All others go from
 * rank to rank.
 *
 * <p>MPI makes progress while a rank is in a call of this class. The launcher of the site's MPI
 * ends all ranks when one fails.
 */
final class MpiEngine implements Communicator {
  /** System property: whether the master broadcasts by MPI's tree; the same on all ranks. */
  static final String TREE_PROPERTY = "amb.mpi.tree";

  /** Payloads with fewer floats always go from rank to rank. */
  static final int TREE_LEAST = 16 << 10;

  /** Maximum number of floats in a message: 1 GiB. */
  private static final int FLOATS = 1 << 28;

  private final int rank = Mpi.rank();
  private final int size = Mpi.size();
  private final boolean tree = !"false".equals(System.getProperty(TREE_PROPERTY));
  private final MpiPayloadPool pool = new MpiPayloadPool();
  private final Requests requests = new Requests();
  private final MpiOutbox outbox = new MpiOutbox(requests, size);
  private final MpiInbox inbox = new MpiInbox(requests, pool, size, FLOATS);
  private final PollingWait patience = new PollingWait();
  private boolean closed;

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean lend(int to, Message message, int length) {
    if (length == 0) {
      return false;
    }
    message.borrow(pool.take(length, true), length);
    return true;
  }

  @Override
  public boolean relays() {
    return tree;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    checkOpen();
    check(to);
    if (message.length() == 0) {
      outbox.send(to, message, MpiHeader.Route.NONE, null);
    } else {
      MpiPayload payload = payload(message);
      awaitRoom(to, message.length(), deadline);
      outbox.send(to, message, MpiHeader.Route.MESSAGE, payload);
      done(message, payload);
    }
    advance();
  }

  @Override
  public void broadcast(Message message, long deadline) {
    checkOpen();
    if (message.length() == 0) {
      sendToOthers(message, MpiHeader.Route.NONE, null, deadline);
    } else {
      MpiPayload payload = payload(message);
      boolean byTree = tree && rank == MASTER && size > 2 && message.length() >= TREE_LEAST;
      if (byTree) {
        sendToOthers(message, MpiHeader.Route.TREE, null, deadline);
        MpiCalls.check(Mpi.bcastFloats(payload.pointer, message.length(), rank), "broadcast");
        outbox.count((long) Float.BYTES * message.length());
      } else {
        sendToOthers(message, MpiHeader.Route.MESSAGE, payload, deadline);
      }
      done(message, payload);
    }
    advance();
  }

  private void sendToOthers(
      Message message, MpiHeader.Route route, MpiPayload payload, long deadline) {
    for (int to = 0; to < size; to++) {
      if (to != rank) {
        awaitRoom(to, message.length(), deadline);
        outbox.send(to, message, route, payload);
      }
    }
  }

  /** A message's payload in memory that MPI can send from: its own memory, or a copy. */
  private MpiPayload payload(Message message) {
    if (isLent(message)) {
      return (MpiPayload) message.loan();
    }
    MpiPayload copy = pool.take(message.length(), true);
    copy.floats().put(0, message.payload(), 0, message.length());
    return copy;
  }

  private static boolean isLent(Message message) {
    return message.loan() instanceof MpiPayload lent && lent.isForSending();
  }

  /** Leaves the payload to the requests that use it. */
  private static void done(Message message, MpiPayload payload) {
    if (isLent(message)) {
      message.release();
    } else {
      payload.end();
    }
  }

  private void awaitRoom(int to, int length, long deadline) {
    patience.begin();
    while (!outbox.admits(to, length)) {
      if (PollingWait.isOver(deadline)) {
        throw new EngineException(
            "rank %d did not accept a message before the deadline".formatted(to));
      }
      patience.pause();
      advance();
    }
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    checkOpen();
    if (from != ANY) {
      check(from);
    }
    patience.begin();
    advance();
    while (!inbox.take(from, into)) {
      String failure = inbox.failure(from);
      if (failure != null) {
        throw new LostException(failure);
      }
      if (PollingWait.isOver(deadline)) {
        return false;
      }
      patience.pause();
      advance();
    }
    return true;
  }

  private void advance() {
    outbox.advance();
    inbox.advance();
  }

  /** Rejects calls after {@link #close}, when neither MPI nor the memory of its requests exists. */
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("expected an open engine, found it closed");
    }
  }

  private void check(int other) {
    if (other < 0 || other >= size || other == rank) {
      throw new EngineException(
          "expected another rank from 0 to %d, found %d".formatted(size - 1, other));
    }
  }

  @Override
  public long bytesSent() {
    return outbox.bytes();
  }

  @Override
  public long bytesReceived() {
    return inbox.bytes();
  }

  /**
   * Says goodbye, waits until all ranks have, and ends MPI. There is no limit, as MPI's own end
   * waits for all ranks, too, and its launcher ends all of them when one fails. After a failure,
   * abort instead.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (int to = 0; to < size; to++) {
      if (to != rank) {
        outbox.sayGoodbye(to);
      }
    }
    patience.begin();
    while (!inbox.isAlone() || !outbox.isEmpty()) {
      patience.pause();
      advance();
    }
    inbox.close();
    MpiCalls.check(Mpi.end(), "end");
    requests.close();
  }
}
