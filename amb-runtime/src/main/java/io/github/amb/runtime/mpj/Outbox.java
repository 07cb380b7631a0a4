package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.function.LongSupplier;

/** Splits messages into chunks and sends them; used by the program's thread alone. */
final class Outbox {
  private final int rank;
  private final int overhead;
  private final Wakeup wakeup;
  private final SendGuard guard;
  private final MpjWorld world;
  private final MessageMemory chunk;
  private final MessageMemory control;
  private final FloatBuffer floats;
  private final int longFloats;
  private final SegmentSharing sharing;
  private final ChunkSum sum = new ChunkSum();
  private final PayloadPool memory;
  private MessageMemory sealed; // null until a message is encrypted
  private long bytes;

  /**
   * @param world sends the chunks
   * @param chunkFloats maximum number of floats in the first chunk of a message, and in each chunk
   *     if they are copied
   * @param longFloats maximum number of floats in other chunks, a multiple of {@code chunkFloats}
   * @param memory for long payloads, which are then not copied
   */
  Outbox(
      MpjWorld world,
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
  }

  long bytes() {
    return bytes;
  }

  /** Memory for a payload that will travel in chunks, or null. */
  Message.Loan lend(int length) {
    return memory.lend(length);
  }

  /** Returns the memory of a payload that has been sent. */
  void sent(Message message) {
    if (memory.of(message) != null) {
      message.release();
    }
  }

  /**
   * Sends a message to one peer or several; see {@link io.github.amb.core.engine.Communicator}.
   *
   * @throws EngineException if one of them has failed; the others have the message
   */
  void send(Peer[] to, Message message, long deadline) {
    EngineException failure = admitAll(to, message, deadline);
    offer(message);
    failure = passAll(to, message, deadline, failure);
    // All chunks to a peer alone have one patience; of several, each has its own with each chunk.
    long end = SendGuard.patient(deadline);
    LongSupplier patience = to.length == 1 ? () -> end : () -> SendGuard.patient(deadline);
    int offset = 0;
    while (!isDone(to, message, offset)) {
      int length = part(message, offset);
      MessageMemory packet = open(to[0], message, offset, length);
      failure = transmitAll(to, packet, bytesOf(length), patience, failure);
      close(message);
      offset += Math.max(1, length);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Sends the header of a message whose payload is in a slot. */
  private void pass(Peer to, Message message, int slot, long deadline) {
    ChunkHeader.put(control.message(), rank, message);
    ChunkHeader.putSlot(control.message(), slot);
    try {
      transmit(to, control, ChunkHeader.BYTES, SendGuard.patient(deadline));
      bytes += (long) Float.BYTES * message.length();
    } catch (EngineException e) {
      sharing.withdraw(slot);
      throw e;
    }
  }

  private void offer(Message message) {
    SharedSegment segment = sharing.offer(message);
    if (segment == null) {
      return;
    }
    ChunkHeader.putOffer(control.message(), rank, ProcessHandle.current().pid(), segment);
    for (Peer partner : sharing.partners) {
      sendControl(partner);
    }
  }

  private static boolean isDone(Peer[] to, Message message, int offset) {
    if (offset > 0 && offset >= message.length()) {
      return true;
    }
    for (Peer peer : to) {
      if (!peer.excluded) {
        return false;
      }
    }
    return true;
  }

  /** Sends the header of a message whose payload is in a slot to all peers that can read it. */
  private EngineException passAll(
      Peer[] to, Message message, long deadline, EngineException earlier) {
    int readers = 0;
    for (Peer peer : to) {
      peer.sharing = !peer.excluded && sharing.reaches(peer);
      readers += peer.sharing ? 1 : 0;
    }
    int slot = sharing.place(message, readers);
    EngineException failure = earlier;
    for (Peer peer : to) {
      if (slot != ChunkHeader.NO_SLOT && peer.sharing) {
        peer.excluded = true;
        try {
          pass(peer, message, slot, deadline);
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
  private int part(Message message, int offset) {
    boolean isLong = offset > 0 && memory.of(message) != null;
    return Math.min(isLong ? longFloats : floats.capacity(), message.length() - offset);
  }

  /**
   * The next chunk of {@code message}, copied unless the payload is in memory of the pool.
   *
   * @param to one of its receivers, which are all encrypted to, or none
   */
  private MessageMemory open(Peer to, Message message, int offset, int length) {
    PayloadMemory payload = memory.of(message);
    MessageMemory packet = chunk;
    if (payload == null) {
      floats.put(0, message.payload(), offset, length);
    } else {
      packet = payload.open(offset);
    }
    ChunkHeader.put(packet.message(), rank, message);
    ChunkHeader.putPart(packet.message(), offset, length);
    if (to.outgoing == null) {
      sum.sealFloats(packet.message(), length);
    }
    return packet;
  }

  private void close(Message message) {
    PayloadMemory payload = memory.of(message);
    if (payload != null) {
      payload.close();
    }
  }

  private static int bytesOf(int floats) {
    return ChunkHeader.BYTES + floats * Float.BYTES;
  }

  private EngineException admitAll(Peer[] to, Message message, long deadline) {
    EngineException failure = null;
    for (Peer peer : to) {
      peer.excluded = false;
      try {
        admit(peer, message, deadline);
      } catch (EngineException e) {
        peer.excluded = true;
        failure = e;
      }
    }
    return failure;
  }

  private EngineException transmitAll(
      Peer[] to, MessageMemory packet, int length, LongSupplier patience, EngineException earlier) {
    EngineException failure = earlier;
    for (Peer peer : to) {
      if (!peer.excluded) {
        try {
          transmit(peer, packet, length, patience.getAsLong());
        } catch (EngineException e) {
          peer.excluded = true;
          failure = e;
        }
      }
    }
    return failure;
  }

  private void admit(Peer to, Message message, long deadline) {
    long size = (long) Float.BYTES * message.length();
    to.waitingBytes = size;
    boolean admitted = wakeup.await(to.admission, deadline);
    if (to.loss() != null) {
      throw to.failure();
    }
    if (to.departed) {
      throw new LostException("rank " + to.number + " has left the run");
    }
    if (!admitted) {
      throw new EngineException(
          "rank " + to.number + " did not consume earlier messages before the deadline");
    }
    to.window.opened(size);
  }

  /**
   * Sends one chunk. If it is not sent by {@code end}, the connection is closed and the peer counts
   * as failed.
   */
  private void transmit(Peer to, MessageMemory packet, int length, long end) {
    if (Thread.currentThread().isInterrupted()) {
      to.lose("interrupted before sending to rank " + to.number);
    }
    if (to.loss() != null) {
      throw to.failure();
    }
    ChunkHeader.putReceiver(packet.message(), to.consumed, to.ownAnswer);
    to.unreportedMessages = 0;
    to.unreportedBytes = 0;
    IOException failure =
        to.outgoing == null
            ? writePlain(to, packet, length, end)
            : writeSealed(to, packet, length, end);
    boolean late = guard.end();
    if (failure != null) {
      to.lose(
          late
              ? "rank " + to.number + " did not accept a message before the deadline"
              : "the connection to rank %d broke while sending: %s"
                  .formatted(to.number, failure.getMessage()));
      throw new LostException(to.loss(), failure);
    }
  }

  private IOException writePlain(Peer to, MessageMemory packet, int length, long end) {
    sum.sealHead(packet.message());
    return write(to, packet, length, end);
  }

  private IOException writeSealed(Peer to, MessageMemory packet, int length, long end) {
    if (sealed == null) {
      sealed = MessageMemory.allocate(overhead, Seal.sealedBytes(bytesOf(longFloats)), 0);
    }
    return write(to, sealed, to.outgoing.seal(packet.message(), length, sealed.message()), end);
  }

  private IOException write(Peer to, MessageMemory packet, int length, long end) {
    bytes += length + overhead;
    guard.begin(end);
    try {
      world.send(to.rank, packet, length);
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
    if (to.loss() == null && !to.departed) {
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
