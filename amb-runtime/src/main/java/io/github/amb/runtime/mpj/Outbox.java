package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
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
  private long bytes;

  /**
   * @param peers by rank; null at this rank
   * @param chunkFloats the most floats in a chunk
   */
  Outbox(MpjWorld world, Peer[] peers, int chunkFloats, Doorbell doorbell, SendGuard guard) {
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
  }

  long bytes() {
    return bytes;
  }

  /** See {@link io.github.amb.core.engine.Communicator#send}. */
  void send(Peer to, Frame frame, long deadline) {
    admit(to, frame, deadline);
    ChunkHeader.put(chunk.memory(), rank, frame);
    int offset = 0;
    do {
      int length = fill(frame, offset);
      transmit(to, chunk, bytesOf(length), deadline);
      offset += length;
    } while (offset < frame.length());
  }

  /** See {@link io.github.amb.core.engine.Communicator#broadcast}. */
  void broadcast(Frame frame, long deadline) {
    EngineException failure = admitAll(frame, deadline);
    ChunkHeader.put(chunk.memory(), rank, frame);
    int offset = 0;
    do {
      int length = fill(frame, offset);
      failure = transmitAll(bytesOf(length), deadline, failure);
      offset += length;
    } while (offset < frame.length());
    if (failure != null) {
      throw failure;
    }
  }

  /** Copies the next chunk of {@code frame} to direct memory; returns its number of floats. */
  private int fill(Frame frame, int offset) {
    int length = Math.min(floats.capacity(), frame.length() - offset);
    floats.put(0, frame.values(), offset, length);
    ChunkHeader.putPart(chunk.memory(), offset, length);
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
      throw new EngineException(to.loss());
    }
    if (to.departed()) {
      throw new EngineException("rank " + to.rank + " has left the run");
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
      throw new EngineException(to.loss());
    }
    ChunkHeader.putConsumed(message.memory(), to.consumed);
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
      throw new EngineException(to.loss(), failure);
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
    sendControl(to, ChunkHeader.ACKNOWLEDGEMENT);
  }

  /** Tells {@code to} that this rank leaves; a loss does not matter any more. */
  void sayGoodbye(Peer to) {
    sendControl(to, ChunkHeader.GOODBYE);
  }

  private void sendControl(Peer to, int kind) {
    if (to.loss() != null || to.departed() && kind != ChunkHeader.GOODBYE) {
      return;
    }
    ChunkHeader.put(control.memory(), rank, kind);
    try {
      transmit(to, control, ChunkHeader.BYTES, System.nanoTime() + SendGuard.PATIENCE);
    } catch (EngineException e) {
      to.lose(e.getMessage());
    }
  }
}
