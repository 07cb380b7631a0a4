package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.LostException;
import java.io.IOException;
import java.nio.FloatBuffer;

/** Cuts frames into chunks and sends them; used by the program's thread alone. */
final class Outbox {
  private final int rank;
  private final Peer[] peers;
  private final int overhead;
  private final Doorbell doorbell;
  private final SendGuard guard;
  private final MpjWorld.Outgoing chunk;
  private final MpjWorld.Outgoing control;
  private final FloatBuffer floats;
  private final boolean[] excluded;
  private final boolean[] sharers;
  private final Sharing sharing;
  private final ChunkSum sum = new ChunkSum();
  private long bytes;

  /**
   * @param peers by rank; null at this rank
   * @param chunkFloats the most floats in a chunk
   */
  Outbox(
      MpjWorld world,
      Peer[] peers,
      int chunkFloats,
      Doorbell doorbell,
      SendGuard guard,
      Sharing sharing) {
    this.sharing = sharing;
    rank = world.rank();
    this.peers = peers;
    overhead = world.overhead();
    this.doorbell = doorbell;
    this.guard = guard;
    chunk = world.outgoing(ChunkHeader.BYTES + chunkFloats * Float.BYTES, ChunkHeader.BYTES);
    control = world.outgoing(ChunkHeader.BYTES, 0);
    floats =
        chunk
            .memory()
            .slice(ChunkHeader.BYTES, chunkFloats * Float.BYTES)
            .order(chunk.memory().order())
            .asFloatBuffer();
    excluded = new boolean[peers.length];
    sharers = new boolean[peers.length];
  }

  long bytes() {
    return bytes;
  }

  /** See {@link io.github.amb.core.engine.Communicator#send}. */
  void send(Peer to, Frame frame, long deadline) {
    admit(to, frame, deadline);
    offer(frame);
    int slot = sharing.place(frame, sharing.reaches(to) ? 1 : 0);
    ChunkHeader.put(chunk.memory(), rank, frame);
    if (slot != ChunkHeader.NO_SLOT) {
      pass(to, frame, slot, deadline);
      return;
    }
    int offset = 0;
    do {
      int length = fill(frame, offset);
      transmit(to, chunk, bytesOf(length), deadline);
      offset += length;
    } while (offset < frame.length());
  }

  /** Tells that a frame's payload, whose head is in the chunk, is in a slot. */
  private void pass(Peer to, Frame frame, int slot, long deadline) {
    ChunkHeader.putSlot(chunk.memory(), slot);
    try {
      transmit(to, chunk, ChunkHeader.BYTES, deadline);
      bytes += (long) Float.BYTES * frame.length();
    } catch (EngineException e) {
      sharing.withdraw(slot);
      throw e;
    } finally {
      ChunkHeader.putSlot(chunk.memory(), ChunkHeader.NO_SLOT);
    }
  }

  private void offer(Frame frame) {
    Shelf shelf = sharing.offer(frame);
    if (shelf == null) {
      return;
    }
    ChunkHeader.putOffer(control.memory(), rank, ProcessHandle.current().pid(), shelf);
    for (Peer partner : sharing.partners()) {
      sendControl(partner);
    }
  }

  /** See {@link io.github.amb.core.engine.Communicator#broadcast}. */
  void broadcast(Frame frame, long deadline) {
    EngineException failure = admitAll(frame, deadline);
    offer(frame);
    ChunkHeader.put(chunk.memory(), rank, frame);
    failure = passAll(frame, deadline, failure);
    int offset = 0;
    while (!isDone(frame, offset)) {
      int length = fill(frame, offset);
      failure = transmitAll(bytesOf(length), deadline, failure);
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

  /** Tells all who can read it that the payload is in a slot; they need no chunks then. */
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

  /** Copies the next chunk of {@code frame} to direct memory; returns its number of floats. */
  private int fill(Frame frame, int offset) {
    int length = Math.min(floats.capacity(), frame.length() - offset);
    floats.put(0, frame.payload(), offset, length);
    ChunkHeader.putPart(chunk.memory(), offset, length);
    sum.sealFloats(chunk.memory(), length);
    return length;
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

  private EngineException transmitAll(int length, long deadline, EngineException earlier) {
    EngineException failure = earlier;
    for (Peer peer : peers) {
      if (peer != null && !excluded[peer.rank]) {
        try {
          transmit(peer, chunk, length, deadline);
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
    boolean admitted = doorbell.await(to.admission, deadline);
    if (to.loss() != null) {
      throw to.failure();
    }
    if (to.departed()) {
      throw new LostException("rank " + to.rank + " has left the run");
    }
    if (!admitted) {
      throw new EngineException(
          "rank " + to.rank + " did not consume earlier frames before the deadline");
    }
    to.window.opened(size);
  }

  private void transmit(Peer to, MpjWorld.Outgoing message, int length, long deadline) {
    if (Thread.currentThread().isInterrupted()) {
      throw new EngineException("interrupted before sending to rank " + to.rank);
    }
    if (to.loss() != null) {
      throw to.failure();
    }
    ChunkHeader.putReceiver(message.memory(), to.consumed, to.ownAnswer());
    sum.sealHead(message.memory());
    to.unreportedFrames = 0;
    to.unreportedBytes = 0;
    bytes += length + overhead;
    IOException failure = write(to, message, length, deadline);
    boolean late = guard.end();
    if (late) {
      to.lose("rank " + to.rank + " did not take a frame before the deadline");
    } else if (failure != null) {
      to.lose("lost rank " + to.rank + " while sending: " + failure.getMessage());
    }
    if (late || failure != null) {
      throw new LostException(to.loss(), failure);
    }
  }

  private IOException write(Peer to, MpjWorld.Outgoing message, int length, long deadline) {
    guard.begin(deadline);
    try {
      message.send(to.rank, length);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** Tells {@code to} what has been consumed; a loss shows at the next receive. */
  void acknowledge(Peer to) {
    ChunkHeader.put(control.memory(), rank, ChunkHeader.ACKNOWLEDGEMENT);
    sendControl(to);
  }

  /** Tells {@code to} that this rank leaves; a loss does not matter any more. */
  void sayGoodbye(Peer to) {
    if (to.loss() == null) {
      ChunkHeader.put(control.memory(), rank, ChunkHeader.GOODBYE);
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
      transmit(to, control, ChunkHeader.BYTES, System.nanoTime() + SendGuard.PATIENCE);
    } catch (EngineException e) {
      to.lose(e.getMessage());
    }
  }
}
