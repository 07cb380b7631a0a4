package io.github.amb.openmpi;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages on their way to this rank. A payload is received when there is room; a rank with
 * unconsumed payloads waits. Used by one thread.
 */
final class MpiInbox {
  /** Maximum number of received and unconsumed payloads of one rank. */
  static final int WINDOW = 2;

  private final Requests requests;
  private final MpiPayloadPool pool;
  private final int limit;
  private final MpiHeader head = new MpiHeader();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<Arrival> spare = new ArrayList<>();
  private final int[] held;
  private final int[] barred;
  private final boolean[] departed;
  private int pass;
  private int headRequest;
  private int others;
  private long bytes;

  private enum State {
    WAITING,
    RECEIVING,
    WHOLE
  }

  /** A message whose header has arrived. */
  private static final class Arrival {
    private final Message message = new Message();
    private int source;
    private int length;
    private MpiHeader.Route route;
    private State state;
    private MpiPayload payload;
    private int request;
  }

  /**
   * @param requests of this engine
   * @param pool memory for payloads
   * @param size number of ranks
   * @param limit maximum number of floats in a payload
   */
  MpiInbox(Requests requests, MpiPayloadPool pool, int size, int limit) {
    this.requests = requests;
    this.pool = pool;
    this.limit = limit;
    held = new int[size];
    barred = new int[size];
    departed = new boolean[size];
    others = size - 1;
    listen();
  }

  private void listen() {
    headRequest = requests.receive(head.pointer, 0, MpiHeader.BYTES, Communicator.ANY, Tags.HEAD);
  }

  long bytes() {
    return bytes;
  }

  /** Handles what has arrived, and starts to receive payloads for which there is room. */
  void advance() {
    while (requests.isDone(headRequest, "receive", Requests.NONE)) {
      arrived(requests.source());
      listen();
    }
    pass++;
    for (int i = 0; i < arrivals.size(); i++) {
      advance(arrivals.get(i));
    }
  }

  private void arrived(int source) {
    head.check(source, limit);
    bytes += MpiHeader.BYTES;
    if (head.route() == MpiHeader.Route.GOODBYE) {
      departed[source] = true;
      others--;
      return;
    }
    Arrival arrival = spare.isEmpty() ? new Arrival() : spare.remove(spare.size() - 1);
    head.copyTo(arrival.message, source);
    arrival.source = source;
    arrival.length = head.length();
    arrival.route = head.route();
    arrival.state = arrival.length == 0 ? State.WHOLE : State.WAITING;
    arrivals.add(arrival);
  }

  private void advance(Arrival arrival) {
    if (arrival.state == State.WAITING && barred[arrival.source] != pass) {
      start(arrival);
    }
    if (arrival.state == State.RECEIVING
        && requests.isDone(arrival.request, "receive from", arrival.source)) {
      finish(arrival);
    }
  }

  /**
   * Starts to receive a payload. Payloads of one rank are received in the order sent, in which MPI
   * matches them.
   */
  private void start(Arrival arrival) {
    int source = arrival.source;
    if (held[source] >= WINDOW) {
      barred[source] = pass;
      return;
    }
    held[source]++;
    arrival.payload = pool.take(arrival.length, false);
    if (arrival.route == MpiHeader.Route.TREE) {
      MpiCalls.check(
          Mpi.bcastFloats(arrival.payload.pointer, arrival.length, source), "receive from", source);
      finish(arrival);
      return;
    }
    arrival.state = State.RECEIVING;
    int bytesToCome = Float.BYTES * arrival.length;
    arrival.request =
        requests.receive(arrival.payload.pointer, 0, bytesToCome, source, Tags.PAYLOAD);
  }

  private void finish(Arrival arrival) {
    arrival.message.borrow(arrival.payload, arrival.length);
    arrival.payload = null;
    arrival.state = State.WHOLE;
    bytes += (long) Float.BYTES * arrival.length;
  }

  /**
   * Moves the oldest complete message from {@code from} into {@code into}.
   *
   * @return whether there was one
   */
  boolean take(int from, Message into) {
    pass++;
    for (int i = 0; i < arrivals.size(); i++) {
      Arrival arrival = arrivals.get(i);
      boolean wanted = from == Communicator.ANY || from == arrival.source;
      if (wanted && barred[arrival.source] != pass) {
        if (arrival.state == State.WHOLE) {
          arrivals.remove(i);
          hand(arrival, into);
          return true;
        }
        barred[arrival.source] = pass;
      }
    }
    return false;
  }

  private void hand(Arrival arrival, Message into) {
    held[arrival.source] -= arrival.length > 0 ? 1 : 0;
    arrival.message.moveTo(into);
    spare.add(arrival);
  }

  /** Why no message will come from {@code from}, or null if one may. */
  String failure(int from) {
    boolean gone = from == Communicator.ANY ? others == 0 : departed[from];
    if (!gone || isOnItsWay(from)) {
      return null;
    }
    return from == Communicator.ANY
        ? "all other ranks have left the run"
        : "rank " + from + " has left the run";
  }

  /** Whether a rank that has left sent messages before that have not been taken. */
  private boolean isOnItsWay(int from) {
    for (int i = 0; i < arrivals.size(); i++) {
      if (from == Communicator.ANY || from == arrivals.get(i).source) {
        return true;
      }
    }
    return false;
  }

  /** Whether all other ranks have said goodbye. */
  boolean isAlone() {
    return others == 0;
  }

  /** Cancels all requests to receive. */
  void close() {
    requests.cancel(headRequest);
  }
}
