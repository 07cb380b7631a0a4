package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MpjWorld;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjdev.Comm;
import mpjdev.Status;

/** Receives from one rank on a thread of its own, on devices that have no selector thread. */
final class WaitingReceiver implements Runnable {
  private final Comm comm;
  private final int from;
  private final Layout layout;
  private final Buffer buffer;
  private final MpjWorld.Listener listener;

  WaitingReceiver(Comm comm, int from, int capacity, int aligned, MpjWorld.Listener listener) {
    this.comm = comm;
    this.from = from;
    this.listener = listener;
    layout = new Layout(MPI.RECV_OVERHEAD, capacity, aligned);
    buffer = new Buffer(layout.raw, MPI.RECV_OVERHEAD, layout.capacity);
  }

  @Override
  public void run() {
    try {
      for (; ; ) {
        layout.raw.getBuffer().clear();
        Status status = new Status(from, ExpressOutgoing.TAG, -1);
        comm.irecv(buffer, from, ExpressOutgoing.TAG, status, true).iwait();
        listener.arrived(from, layout.message, buffer.getSize() - Buffer.SECTION_OVERHEAD);
      }
    } catch (RuntimeException e) {
      listener.ended(null);
    }
  }
}
