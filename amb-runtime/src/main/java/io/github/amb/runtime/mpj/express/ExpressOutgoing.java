package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MpjWorld;
import java.io.IOException;
import java.nio.ByteBuffer;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjdev.Comm;

/** Sends straight from its own direct memory: no packing, no buffer pool. */
final class ExpressOutgoing implements MpjWorld.Outgoing {
  /** Message tag of everything the engine sends. */
  static final int TAG = 7;

  private final Comm comm;
  private final Layout layout;
  private final Buffer buffer;

  ExpressOutgoing(Comm comm, int capacity, int aligned) {
    this.comm = comm;
    layout = new Layout(MPI.SEND_OVERHEAD, capacity, aligned);
    buffer = new Buffer(layout.raw, MPI.SEND_OVERHEAD, layout.capacity);
  }

  @Override
  public ByteBuffer memory() {
    return layout.message;
  }

  @Override
  public void send(int to, int bytes) throws IOException {
    layout.raw.getBuffer().clear();
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
