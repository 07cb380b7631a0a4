package io.github.amb.openmpi;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Pointer;

/** Messages that this rank has sent and MPI has not completed. Used by one thread. */
final class MpiOutbox {
  /**
   * Maximum number of payloads on their way to one rank, unless {@link Communicator#window} is
   * more.
   */
  static final int WINDOW = 4;

  private final Requests requests;
  private final List<Sending> active = new ArrayList<>();
  private final List<Sending> spare = new ArrayList<>();
  private final int[] underWay;
  private long bytes;

  /** A header to one rank, or a payload. */
  private static final class Sending {
    private final MpiHeader head = new MpiHeader();
    private int to;
    private int request;
    private MpiPayload payload; // null if this is a header
  }

  MpiOutbox(Requests requests, int size) {
    this.requests = requests;
    underWay = new int[size];
  }

  /** Whether another payload, of {@code length} floats, may be sent to a rank now. */
  boolean admits(int to, int length) {
    return underWay[to] < Math.max(WINDOW, Communicator.window(length));
  }

  /** Whether all messages are complete. */
  boolean isEmpty() {
    return active.isEmpty();
  }

  long bytes() {
    return bytes;
  }

  /** Counts bytes that were sent by other means. */
  void count(long sent) {
    bytes += sent;
  }

  /**
   * Starts to send a message.
   *
   * @param to receiving rank
   * @param message the message
   * @param route how the payload travels
   * @param payload the payload, if the route is by message; held until it is sent
   */
  void send(int to, Message message, MpiHeader.Route route, MpiPayload payload) {
    Sending sending = next(to);
    sending.head.put(message, route);
    start(sending);
    if (route == MpiHeader.Route.MESSAGE) {
      start(to, payload, 0, message.length(), Tags.PAYLOAD);
    }
  }

  /** Says goodbye to a rank. */
  void sayGoodbye(int to) {
    Sending sending = next(to);
    sending.head.putGoodbye();
    start(sending);
  }

  private Sending next(int to) {
    Sending sending = spare.isEmpty() ? new Sending() : spare.remove(spare.size() - 1);
    sending.to = to;
    return sending;
  }

  private void start(Sending head) {
    start(head, head.head.pointer, 0, MpiHeader.BYTES, Tags.HEAD);
  }

  private void start(int to, MpiPayload payload, int offset, int length, int tag) {
    payload.hold();
    underWay[to]++;
    Sending sending = next(to);
    sending.payload = payload;
    start(sending, payload.pointer, Float.BYTES * offset, Float.BYTES * length, tag);
  }

  private void start(Sending sending, Pointer memory, int offset, int count, int tag) {
    active.add(sending);
    bytes += count;
    sending.request = requests.send(memory, offset, count, sending.to, tag);
  }

  /** Releases what MPI has completed. */
  void advance() {
    for (int i = active.size() - 1; i >= 0; i--) {
      Sending sending = active.get(i);
      if (requests.isDone(sending.request, "send to", sending.to)) {
        active.remove(i);
        spare.add(sending);
        if (sending.payload != null) {
          underWay[sending.to]--;
          sending.payload.end();
          sending.payload = null;
        }
      }
    }
  }
}
