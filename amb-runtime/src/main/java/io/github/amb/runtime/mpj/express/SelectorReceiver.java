package io.github.amb.runtime.mpj.express;

import io.github.amb.core.engine.EngineException;
import io.github.amb.runtime.mpj.MpjWorld;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjdev.Comm;
import mpjdev.MPJDevException;
import mpjdev.Status;

/**
 * Receives from one rank on niodev's selector thread itself, without a hand-over per message.
 *
 * <p>niodev calls {@link #setSize} when all bytes of a message are in this buffer. The message is
 * handled there and the buffer posted again at once, so that a single buffer per rank suffices. A
 * message that came before the buffer was posted is copied in by {@code irecv} on the posting
 * thread, under a lock of the device, and is handled when {@code irecv} has returned.
 */
final class SelectorReceiver extends Buffer {
  private final Comm comm;
  private final int from;
  private final Layout layout;
  private final MpjWorld.Listener listener;
  private final SpinYield spin;
  private final Thread creator = Thread.currentThread();
  private final Posting byCreator = new Posting();
  private final Posting bySelector = new Posting();

  SelectorReceiver(
      Comm comm, int from, int capacity, int aligned, MpjWorld.Listener listener, SpinYield spin) {
    this(comm, from, new Layout(MPI.RECV_OVERHEAD, capacity, aligned), listener, spin);
  }

  private SelectorReceiver(
      Comm comm, int from, Layout layout, MpjWorld.Listener listener, SpinYield spin) {
    super(layout.raw, MPI.RECV_OVERHEAD, layout.capacity);
    this.comm = comm;
    this.from = from;
    this.layout = layout;
    this.listener = listener;
    this.spin = spin;
  }

  void post() {
    Posting posting = posting();
    do {
      posting.early = false;
      posting.active = true;
      layout.raw.getBuffer().clear();
      try {
        comm.irecv(
            this, from, ExpressOutgoing.TAG, new Status(from, ExpressOutgoing.TAG, -1), true);
      } catch (MPJDevException e) {
        throw new EngineException("cannot receive from rank " + from, e);
      }
      posting.active = false;
      if (posting.early) {
        handle();
      }
    } while (posting.early);
  }

  @Override
  public void setSize(int size) {
    super.setSize(size);
    Posting posting = posting();
    if (posting.active) {
      posting.early = true;
    } else {
      spin.progress();
      handle();
      post();
    }
  }

  private Posting posting() {
    return Thread.currentThread() == creator ? byCreator : bySelector;
  }

  private void handle() {
    listener.arrived(from, layout.message, getSize() - SECTION_OVERHEAD);
  }

  /** Where a thread is in {@link #post}; touched by that thread alone. */
  private static final class Posting {
    boolean active;
    boolean early;
  }
}
