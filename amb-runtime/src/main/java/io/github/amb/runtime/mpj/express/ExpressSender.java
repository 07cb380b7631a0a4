package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MessageMemory;
import java.io.IOException;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjdev.Comm;

/** Sends from the engine's direct memory, without packing and without a buffer pool. */
final class ExpressSender {
  /** Message tag of all messages of the engine. */
  static final int TAG = 7;

  private final Comm comm;
  private final MovableMemory raw = new MovableMemory(room());
  private final Buffer buffer = new Buffer(raw, MPI.SEND_OVERHEAD, room());

  ExpressSender(Comm comm) {
    this.comm = comm;
  }

  /**
   * Bytes that MPJ Express puts before a sent message; known once a process group has been formed.
   */
  static int room() {
    return MPI.SEND_OVERHEAD + Buffer.SECTION_OVERHEAD;
  }

  void send(int to, MessageMemory memory, int bytes) throws IOException {
    raw.moveTo(memory.whole().putLong(MPI.SEND_OVERHEAD, 0)); // an empty section header
    buffer.setSize(Buffer.SECTION_OVERHEAD + bytes);
    try {
      comm.send(buffer, to, TAG, true);
    } catch (RuntimeException e) {
      throw new IOException(cause(e), e);
    }
  }

  private static String cause(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }
}
