package io.github.amb.openmpi;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;

/** MPI's requests that are under way, by number. Used by one thread. */
final class Requests implements AutoCloseable {
  /** In place of a request's number: there is none. */
  static final int NONE = -1;

  private static final int CAPACITY = 1 << 14;

  private final BytePointer memory = new BytePointer((long) CAPACITY * Mpi.requestBytes());
  private final IntPointer result = new IntPointer(2);
  private final int[] free = new int[CAPACITY];
  private int freeCount;
  private int made;

  /** Where MPI keeps them. */
  BytePointer memory() {
    return memory;
  }

  /** The number of a new request, which a call of MPI must start at once. */
  int take() {
    if (freeCount > 0) {
      return free[--freeCount];
    }
    if (made == CAPACITY) {
      throw new IllegalStateException(
          "expected at most " + CAPACITY + " open requests, found more");
    }
    return made++;
  }

  /**
   * Whether a request is done; its number is free again then.
   *
   * @param what it does, for the message
   * @param rank with whom; negative for anyone
   */
  boolean isDone(int request, String what, int rank) {
    int code = Mpi.test(memory, request, result);
    if (rank < 0) {
      MpiCalls.check(code, what);
    } else {
      MpiCalls.check(code, what, rank);
    }
    if (result.get(0) == 0) {
      return false;
    }
    free[freeCount++] = request;
    return true;
  }

  /** Who sent what the last request has received that was found done. */
  int source() {
    return result.get(1);
  }

  /** Takes back a request to receive that nothing has come for. */
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
