package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MessageMemory;
import io.github.amb.runtime.mpj.MpjWorld;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjbuf.NIOBuffer;
import mpjdev.Comm;
import mpjdev.Status;

/** Receives from one rank on a thread of its own, for devices without a selector thread. */
final class WaitingReceiver implements Runnable {
  private final Comm comm;
  private final int from;
  private final MessageMemory memory;
  private final Buffer buffer;
  private final MpjWorld.Listener listener;

  WaitingReceiver(Comm comm, int from, int capacity, int aligned, MpjWorld.Listener listener) {
    this.comm = comm;
    this.from = from;
    this.listener = listener;
    memory = MessageMemory.allocate(SelectorReceiver.room(), capacity, aligned);
    int whole = memory.whole().capacity();
    buffer = new Buffer(new NIOBuffer(whole, memory.whole()), MPI.RECV_OVERHEAD, whole);
  }

  @Override
  public void run() {
    try {
      for (; ; ) {
        memory.whole().clear();
        Status status = new Status(from, ExpressSender.TAG, -1);
        comm.irecv(buffer, from, ExpressSender.TAG, status, true).iwait();
        listener.arrived(from, memory.message(), buffer.getSize() - Buffer.SECTION_OVERHEAD);
      }
    } catch (RuntimeException e) {
      listener.ended(null);
    } catch (OutOfMemoryError e) {
      listener.ended("no memory to receive from rank %d: %s".formatted(from, e.getMessage()));
    }
  }
}
