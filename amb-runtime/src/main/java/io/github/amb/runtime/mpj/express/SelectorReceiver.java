package io.github.amb.runtime.mpj.express;

import io.github.amb.core.engine.EngineException;
import io.github.amb.runtime.mpj.MessageMemory;
import io.github.amb.runtime.mpj.MpjWorld;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjdev.Comm;
import mpjdev.MPJDevException;
import mpjdev.Status;

/**
 * Receives from one rank on niodev's selector thread, without a hand-over per message.
 *
 * <p>niodev calls {@link #setSize} when all bytes of a message are in this buffer. The message is
 * handled there, and the buffer is posted again at once, with memory that the listener chooses, or
 * this receiver's own. A single buffer per rank is therefore enough. A message that came before the
 * buffer was posted is copied by {@code irecv} on the posting thread, under a lock of the device,
 * and is handled when {@code irecv} has returned.
 */
final class SelectorReceiver extends Buffer {
  private final Comm comm;
  private final int from;
  private final MovableMemory raw;
  private final MessageMemory own;
  private final MpjWorld.Listener listener;
  private final SpinYield spin;
  private final Thread creator = Thread.currentThread();
  private final Posting byCreator = new Posting();
  private final Posting bySelector = new Posting();
  private MessageMemory posted;

  SelectorReceiver(
      Comm comm, int from, int capacity, int aligned, MpjWorld.Listener listener, SpinYield spin) {
    this(
        comm,
        from,
        MessageMemory.allocate(room(), capacity, aligned),
        listener,
        spin,
        new MovableMemory(room()));
  }

  private SelectorReceiver(
      Comm comm,
      int from,
      MessageMemory own,
      MpjWorld.Listener listener,
      SpinYield spin,
      MovableMemory raw) {
    super(raw, MPI.RECV_OVERHEAD, room());
    this.raw = raw;
    this.comm = comm;
    this.from = from;
    this.own = own;
    this.listener = listener;
    this.spin = spin;
  }

  /**
   * Bytes that MPJ Express puts before a received message; known once a process group has been
   * formed.
   */
  static int room() {
    return MPI.RECV_OVERHEAD + SECTION_OVERHEAD;
  }

  void post() {
    Posting posting = posting();
    do {
      posting.early = false;
      posting.active = true;
      MessageMemory chosen = listener.next(from);
      posted = chosen == null ? own : chosen;
      raw.moveTo(posted.whole());
      try {
        comm.irecv(this, from, ExpressSender.TAG, new Status(from, ExpressSender.TAG, -1), true);
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
    listener.arrived(from, posted.message(), getSize() - SECTION_OVERHEAD);
  }

  /** Position of a thread in {@link #post}; used by that thread alone. */
  private static final class Posting {
    boolean active;
    boolean early;
  }
}
