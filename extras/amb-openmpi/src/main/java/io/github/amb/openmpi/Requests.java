package io.github.amb.openmpi;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;

/** MPI's open requests, by number. Used by one thread. */
final class Requests implements AutoCloseable {
  /** The number of no request. */
  static final int NONE = -1;

  private static final int CAPACITY = 1 << 14;

  private final BytePointer memory = new BytePointer((long) CAPACITY * Mpi.requestBytes());
  private final IntPointer result = new IntPointer(2);
  private final int[] free = new int[CAPACITY];
  private int freeCount;
  private int made;

  /**
   * The number of a new request, which a call of MPI must start at once.
   *
   * @throws IllegalStateException if too many requests are open
   */
  private int take() {
    if (freeCount > 0) {
      return free[--freeCount];
    }
    if (made == CAPACITY) {
      throw new IllegalStateException(
          "expected at most " + CAPACITY + " open requests, found more");
    }
    return made++;
  }

  /** Starts to send bytes from an offset on; returns the request's number. */
  int send(Pointer from, int offset, int bytes, int to, int tag) {
    int request = take();
    int code = Mpi.isend(from, offset, bytes, to, tag, memory, request);
    MpiCalls.check(code, "send to", to);
    return request;
  }

  /**
   * Starts to receive bytes, from an offset on; returns the request's number.
   *
   * @param from the other rank; negative for any
   */
  int receive(Pointer into, int offset, int bytes, int from, int tag) {
    int request = take();
    int code = Mpi.irecv(into, offset, bytes, from, tag, memory, request);
    MpiCalls.check(code, from < 0 ? "receive" : "receive from", from);
    return request;
  }

  /**
   * Whether a request is complete; its number is free again then.
   *
   * @param request number of the request
   * @param what what it does, for the message
   * @param rank the other rank; negative for any
   */
  boolean isDone(int request, String what, int rank) {
    MpiCalls.check(Mpi.test(memory, request, result), what, rank);
    if (result.get(0) == 0) {
      return false;
    }
    free[freeCount++] = request;
    return true;
  }

  /** Source of the message of the last completed request to receive. */
  int source() {
    return result.get(1);
  }

  /** Cancels a request to receive that nothing has arrived for. */
  void cancel(int request) {
    MpiCalls.check(Mpi.cancel(memory, request), "cancel a request");
    free[freeCount++] = request;
  }

  @Override
  public void close() {
    memory.close();
    result.close();
  }
}
