package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.LostException;
import java.io.IOException;
import java.nio.FloatBuffer;

/** Splits messages into chunks and sends them; used by the program's thread alone. */
final class Outbox {
  private final int rank;
  private final Peer[] peers;
  private final int overhead;
  private final Wakeup wakeup;
  private final SendGuard guard;
  private final MpjWorld world;
  private final MessageMemory chunk;
  private final MessageMemory control;
  private final FloatBuffer floats;
  private final int longFloats;
  private final boolean[] excluded;
  private final boolean[] sharers;
  private final SegmentSharing sharing;
  private final ChunkSum sum = new ChunkSum();
  private final PayloadPool memory;
  private long bytes;

  /**
   * @param world sends the chunks
   * @param peers by rank; null at this rank
   * @param chunkFloats maximum number of floats in the first chunk of a message, and in each chunk
   *     if they are copied
   * @param longFloats maximum number of floats in other chunks, a multiple of {@code chunkFloats}
   * @param memory for long payloads, which are then not copied
   */
  Outbox(
      MpjWorld world,
      Peer[] peers,
      int chunkFloats,
      int longFloats,
      Wakeup wakeup,
      SendGuard guard,
      SegmentSharing sharing,
      PayloadPool memory) {
    this.world = world;
    this.longFloats = longFloats;
    this.memory = memory;
    this.sharing = sharing;
    rank = world.rank();
    this.peers = peers;
    overhead = world.overhead();
    this.wakeup = wakeup;
    this.guard = guard;
    chunk = MessageMemory.allocate(overhead, bytesOf(chunkFloats), ChunkHeader.BYTES);
    control = MessageMemory.allocate(overhead, ChunkHeader.BYTES, 0);
    floats =
        chunk
            .message()
            .slice(ChunkHeader.BYTES, chunkFloats * Float.BYTES)
            .order(chunk.message().order())
            .asFloatBuffer();
    excluded = new boolean[peers.length];
    sharers = new boolean[peers.length];
  }

  long bytes() {
    return bytes;
  }

  /** Memory for a payload that will travel in chunks, or null. */
  Frame.Loan lend(int length) {
    return memory.lend(length);
  }

  /** Returns the memory of a payload that has been sent. */
  void sent(Frame frame) {
    if (memory.of(frame) != null) {
      frame.release();
    }
  }

  /** See {@link io.github.amb.core.engine.Communicator#send}. */
  void send(Peer to, Frame frame, long deadline) {
    admit(to, frame, deadline);
    offer(frame);
    int slot = sharing.place(frame, sharing.reaches(to) ? 1 : 0);
    if (slot != ChunkHeader.NO_SLOT) {
      pass(to, frame, slot, deadline);
      return;
    }
    long end = SendGuard.patient(deadline);
    int offset = 0;
    do {
      int length = part(frame, offset);
      MessageMemory message = open(frame, offset, length);
      try {
        transmit(to, message, bytesOf(length), end);
      } finally {
        close(frame);
      }
      offset += length;
    } while (offset < frame.length());
  }

  /** Sends the header of a message whose payload is in a slot. */
  private void pass(Peer to, Frame frame, int slot, long deadline) {
    ChunkHeader.put(control.message(), rank, frame);
    ChunkHeader.putSlot(control.message(), slot);
    try {
      transmit(to, control, ChunkHeader.BYTES, SendGuard.patient(deadline));
      bytes += (long) Float.BYTES * frame.length();
    } catch (EngineException e) {
      sharing.withdraw(slot);
      throw e;
    }
  }

  private void offer(Frame frame) {
    SharedSegment segment = sharing.offer(frame);
    if (segment == null) {
      return;
    }
    ChunkHeader.putOffer(control.message(), rank, ProcessHandle.current().pid(), segment);
    for (Peer partner : sharing.partners()) {
      sendControl(partner);
    }
  }

  /** See {@link io.github.amb.core.engine.Communicator#broadcast}. */
  void broadcast(Frame frame, long deadline) {
    EngineException failure = admitAll(frame, deadline);
    offer(frame);
    failure = passAll(frame, deadline, failure);
    int offset = 0;
    while (!isDone(frame, offset)) {
      int length = part(frame, offset);
      MessageMemory message = open(frame, offset, length);
      failure = transmitAll(message, bytesOf(length), deadline, failure);
      close(frame);
      offset += Math.max(1, length);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private boolean isDone(Frame frame, int offset) {
    if (offset > 0 && offset >= frame.length()) {
      return true;
    }
    for (Peer peer : peers) {
      if (peer != null && !excluded[peer.rank]) {
        return false;
      }
    }
    return true;
  }

  /** Sends the header of a message whose payload is in a slot to all peers that can read it. */
  private EngineException passAll(Frame frame, long deadline, EngineException earlier) {
    int readers = 0;
    for (Peer peer : peers) {
      if (peer != null) {
        sharers[peer.rank] = !excluded[peer.rank] && sharing.reaches(peer);
        readers += sharers[peer.rank] ? 1 : 0;
      }
    }
    int slot = sharing.place(frame, readers);
    EngineException failure = earlier;
    for (Peer peer : peers) {
      if (slot != ChunkHeader.NO_SLOT && peer != null && sharers[peer.rank]) {
        excluded[peer.rank] = true;
        try {
          pass(peer, frame, slot, deadline);
        } catch (EngineException e) {
          failure = e;
        }
      }
    }
    return failure;
  }

  /**
   * Number of floats in the next chunk; after the first chunk the receiver has memory for the rest.
   */
  private int part(Frame frame, int offset) {
    boolean isLong = offset > 0 && memory.of(frame) != null;
    return Math.min(isLong ? longFloats : floats.capacity(), frame.length() - offset);
  }

  /** The next chunk of {@code frame}, copied unless the payload is in memory of the pool. */
  private MessageMemory open(Frame frame, int offset, int length) {
    PayloadMemory payload = memory.of(frame);
    MessageMemory message = chunk;
    if (payload == null) {
      floats.put(0, frame.payload(), offset, length);
    } else {
      message = payload.open(offset);
    }
    ChunkHeader.put(message.message(), rank, frame);
    ChunkHeader.putPart(message.message(), offset, length);
    sum.sealFloats(message.message(), length);
    return message;
  }

  private void close(Frame frame) {
    PayloadMemory payload = memory.of(frame);
    if (payload != null) {
      payload.close();
    }
  }

  private static int bytesOf(int floats) {
    return ChunkHeader.BYTES + floats * Float.BYTES;
  }

  private EngineException admitAll(Frame frame, long deadline) {
    EngineException failure = null;
    for (Peer peer : peers) {
      if (peer != null) {
        excluded[peer.rank] = false;
        try {
          admit(peer, frame, deadline);
        } catch (EngineException e) {
          excluded[peer.rank] = true;
          failure = e;
        }
      }
    }
    return failure;
  }

  private EngineException transmitAll(
      MessageMemory message, int length, long deadline, EngineException earlier) {
    EngineException failure = earlier;
    for (Peer peer : peers) {
      if (peer != null && !excluded[peer.rank]) {
        try {
          transmit(peer, message, length, SendGuard.patient(deadline));
        } catch (EngineException e) {
          excluded[peer.rank] = true;
          failure = e;
        }
      }
    }
    return failure;
  }

  private void admit(Peer to, Frame frame, long deadline) {
    long size = (long) Float.BYTES * frame.length();
    to.waitingBytes = size;
    boolean admitted = wakeup.await(to.admission, deadline);
    if (to.loss() != null) {
      throw to.failure();
    }
    if (to.departed()) {
      throw new LostException("rank " + to.rank + " has left the run");
    }
    if (!admitted) {
      throw new EngineException(
          "rank " + to.rank + " did not consume earlier messages before the deadline");
    }
    to.window.opened(size);
  }

  /**
   * Sends one chunk. If it is not sent by {@code end}, the connection is closed and the peer counts
   * as failed.
   */
  private void transmit(Peer to, MessageMemory message, int length, long end) {
    if (Thread.currentThread().isInterrupted()) {
      to.lose("interrupted before sending to rank " + to.rank);
    }
    if (to.loss() != null) {
      throw to.failure();
    }
    ChunkHeader.putReceiver(message.message(), to.consumed, to.ownAnswer());
    sum.sealHead(message.message());
    to.unreportedFrames = 0;
    to.unreportedBytes = 0;
    bytes += length + overhead;
    IOException failure = write(to, message, length, end);
    boolean late = guard.end();
    if (failure != null) {
      to.lose(
          late
              ? "rank " + to.rank + " did not accept a message before the deadline"
              : "the connection to rank %d broke while sending: %s"
                  .formatted(to.rank, failure.getMessage()));
      throw new LostException(to.loss(), failure);
    }
  }

  private IOException write(Peer to, MessageMemory message, int length, long end) {
    guard.begin(end);
    try {
      world.send(to.rank, message, length);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** Sends {@code to} the count of consumed messages; a failure shows at the next receive. */
  void acknowledge(Peer to) {
    ChunkHeader.put(control.message(), rank, ChunkHeader.ACKNOWLEDGEMENT);
    sendControl(to);
  }

  /** Says goodbye to {@code to}; a failure does not matter any more. */
  void sayGoodbye(Peer to) {
    if (to.loss() == null) {
      ChunkHeader.put(control.message(), rank, ChunkHeader.GOODBYE);
      transmitControl(to);
    }
  }

  private void sendControl(Peer to) {
    if (to.loss() == null && !to.departed()) {
      transmitControl(to);
    }
  }

  private void transmitControl(Peer to) {
    try {
      transmit(to, control, ChunkHeader.BYTES, SendGuard.patient(System.nanoTime()));
    } catch (EngineException e) {
      to.lose(e.getMessage());
    }
  }
}
