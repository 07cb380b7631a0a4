package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.WireHeader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Assembles chunks to messages, per source, and passes complete messages to the program's thread.
 */
final class Inbox implements MpjWorld.Listener {
  private final Peer[] peers;
  private final Peer[] others;
  private final int overhead;
  private final Wakeup wakeup;
  private final Path segments;
  private final PayloadPool memory;
  private final int longFloats;
  private PayloadMemory sink;
  private final AtomicLong bytes = new AtomicLong();
  private final ArrayDeque<Message> whole = new ArrayDeque<>();
  private final List<Message> spare = new ArrayList<>();
  private final BooleanSupplier[] news;
  private final int limit;

  /**
   * @param peers by rank; null at this rank
   * @param overhead bytes that MPJ Express adds to every message
   * @param limit maximum number of floats in a message
   * @param wakeup wakes the program's thread
   * @param segments directory of other ranks' shared-memory segments, or null to read none
   * @param memory for long payloads
   * @param longFloats maximum number of floats in a chunk
   */
  Inbox(
      Peer[] peers,
      int overhead,
      int limit,
      Wakeup wakeup,
      Path segments,
      PayloadPool memory,
      int longFloats) {
    this.segments = segments;
    this.memory = memory;
    this.longFloats = longFloats;
    this.peers = peers;
    others = Peer.others(peers);
    this.overhead = overhead;
    this.limit = limit;
    this.wakeup = wakeup;
    news = new BooleanSupplier[peers.length + 1];
    for (int i = 0; i < news.length; i++) {
      int from = i - 1;
      news[i] = () -> has(from) || failure(from) != null;
    }
  }

  long bytes() {
    return bytes.get();
  }

  /**
   * Whether {@link #take} or {@link #failure} has news about {@code from}; the same object in every
   * call.
   */
  BooleanSupplier news(int from) {
    return news[from + 1];
  }

  /**
   * Moves the oldest complete message from {@code from} into {@code into}, exchanging payload
   * arrays.
   *
   * @return the source, or −1 if there is no message
   */
  synchronized int take(int from, Message into) {
    for (Iterator<Message> messages = whole.iterator(); messages.hasNext(); ) {
      Message message = messages.next();
      if (from == Communicator.ANY || from == message.source()) {
        messages.remove();
        message.moveTo(into);
        spare.add(message);
        return into.source();
      }
    }
    return -1;
  }

  /** Why no message will come from {@code from}, or null if one may. */
  String failure(int from) {
    if (from != Communicator.ANY) {
      return failure(peers[from]);
    }
    boolean someone = false;
    for (Peer peer : others) {
      if (peer.loss() != null) {
        return peer.loss();
      }
      someone |= !peer.departed;
    }
    return someone ? null : "all other ranks have left the run";
  }

  /**
   * The exception for a program that waits for a message; call it only if {@link #failure} is not
   * null.
   */
  LostException lost(int from) {
    String failure = failure(from);
    for (Peer peer : others) {
      if (failure.equals(peer.loss())) {
        return peer.failure();
      }
    }
    return new LostException(failure);
  }

  private static String failure(Peer peer) {
    return peer.departed ? "rank " + peer.number + " has left the run" : peer.loss();
  }

  private synchronized boolean has(int from) {
    for (Message message : whole) {
      if (from == Communicator.ANY || from == message.source()) {
        return true;
      }
    }
    return false;
  }

  /** Memory of the payload, if the message that is arriving has any. */
  @Override
  public MessageMemory next(int from) {
    Peer peer = peers[from];
    if (peer.loss() != null) {
      return sink();
    }
    PayloadMemory payload = landing(peer);
    return payload == null ? null : payload.open(peer.arrived);
  }

  /**
   * Memory for further messages of a failed peer, however long, so that other peers are still
   * served.
   */
  private synchronized MessageMemory sink() {
    try {
      if (sink == null) {
        sink = memory.lendAny(longFloats);
      }
      return sink == null ? null : sink.open(0);
    } catch (OutOfMemoryError e) {
      return null; // A message that is too long for niodev's memory ends the process group.
    }
  }

  private PayloadMemory landing(Peer peer) {
    return peer.arriving == null ? null : memory.of(peer.arriving);
  }

  @Override
  public void arrived(int from, ByteBuffer packet, int length) {
    bytes.addAndGet(length + overhead);
    Peer peer = peers[from];
    if (peer.loss() != null) {
      return;
    }
    try {
      accept(peer, packet, length);
    } catch (MalformedMessageException e) {
      peer.lose(e);
      wakeup.ring();
    } catch (EngineException e) {
      peer.lose(e.getMessage());
      wakeup.ring();
    } catch (OutOfMemoryError e) {
      peer.lose(
          "no memory for a message of %d floats from rank %d: %s"
              .formatted(peer.header.length, from, e.getMessage()));
      wakeup.ring();
    }
  }

  private void accept(Peer peer, ByteBuffer packet, int received) {
    ChunkHeader header = peer.header;
    int length = peer.incoming == null ? received : peer.incoming.open(packet, received);
    if (length < 0) {
      throw new MalformedMessageException(
          peer.rank, "expected the next chunk as it was encrypted, found another");
    }
    header.get(packet, length, peer.rank, limit);
    if (peer.incoming == null) {
      peer.sum.check(packet, length, peer.rank);
    }
    PayloadMemory payload = landing(peer);
    boolean inPlace = payload != null && payload.close();
    peer.window.reported(header.consumed, peer.rank);
    peer.answered(header.answer);
    if (header.kind == ChunkHeader.GOODBYE) {
      peer.departed = true;
      wakeup.ring();
    } else if (header.kind == ChunkHeader.ACKNOWLEDGEMENT) {
      wakeup.ring();
    } else if (header.kind == ChunkHeader.OFFER) {
      open(peer, packet);
    } else if (header.slot != ChunkHeader.NO_SLOT) {
      borrow(peer, packet);
    } else {
      append(peer, packet, inPlace);
    }
  }

  private void open(Peer peer, ByteBuffer packet) {
    ChunkHeader header = peer.header;
    if (peer.segment != null) {
      throw new MalformedMessageException(
          peer.rank, "expected one shared-memory segment, found a second one");
    }
    long pid = WireHeader.examples(packet);
    peer.segment = SegmentReader.open(segments, pid, WireHeader.step(packet), header.length);
    peer.ownAnswer = peer.segment == null ? SegmentAnswer.NO : SegmentAnswer.YES;
  }

  private void borrow(Peer peer, ByteBuffer packet) {
    ChunkHeader header = peer.header;
    if (peer.segment == null || peer.arriving != null) {
      throw new MalformedMessageException(
          peer.rank,
          peer.segment == null
              ? "expected a shared-memory segment before a slot of it, found none"
              : "expected the rest of a message, found a slot of the shared-memory segment");
    }
    Message.Loan loan = peer.segment.loan(header.slot, header.length, peer.rank);
    Message message = spare(header.length);
    WireHeader.copyTo(packet, message, peer.rank);
    message.borrow(loan, header.length);
    bytes.addAndGet((long) Float.BYTES * header.length);
    finish(message);
  }

  /** Closes the shared-memory segments of other ranks; messages that are still here keep theirs. */
  void close() {
    for (Peer peer : others) {
      if (peer.segment != null) {
        peer.segment.close();
      }
    }
  }

  private void append(Peer peer, ByteBuffer packet, boolean inPlace) {
    ChunkHeader header = peer.header;
    if (peer.arriving == null) {
      begin(peer, packet);
    }
    Message message = peer.arriving;
    if (header.offset != peer.arrived || header.length != message.length()) {
      throw new MalformedMessageException(
          peer.rank,
          "expected floats from %d of %d, found from %d of %d"
              .formatted(peer.arrived, message.length(), header.offset, header.length));
    }
    if (!inPlace) {
      message.payload().put(header.offset, peer.floats(packet), 0, header.count);
    }
    peer.arrived += header.count;
    if (peer.arrived == message.length()) {
      peer.arriving = null;
      finish(message);
    }
  }

  private void begin(Peer peer, ByteBuffer packet) {
    ChunkHeader header = peer.header;
    PayloadMemory payload = memory.lendAny(header.length);
    peer.arrived = 0;
    peer.arriving = spare(payload == null ? header.length : 0);
    WireHeader.copyTo(packet, peer.arriving, peer.rank);
    if (payload == null) {
      peer.arriving.ensureCapacity(header.length);
    } else {
      peer.arriving.borrow(payload, header.length);
    }
  }

  private void finish(Message message) {
    synchronized (this) {
      whole.add(message);
    }
    wakeup.ring();
  }

  /**
   * The spare message with the smallest sufficient payload array, or any spare one, or a new one.
   */
  private synchronized Message spare(int length) {
    int best = spare.size() - 1;
    for (int i = 0; i < spare.size(); i++) {
      if (isBetter(capacity(i), capacity(best), length)) {
        best = i;
      }
    }
    return best < 0 ? new Message() : spare.remove(best);
  }

  private int capacity(int index) {
    return spare.get(index).values().length;
  }

  private static boolean isBetter(int candidate, int best, int length) {
    return candidate >= length && (best < length || candidate < best);
  }

  @Override
  public void ended(String cause) {
    int[] silent =
        Arrays.stream(others)
            .filter(peer -> !peer.departed && peer.loss() == null)
            .mapToInt(peer -> peer.rank)
            .toArray();
    String ranks =
        Arrays.stream(silent)
            .mapToObj(rank -> String.valueOf(peers[rank].number))
            .collect(Collectors.joining(", "));
    String broken =
        silent.length == 1
            ? "the connection to rank " + ranks + " broke"
            : (cause == null ? "a connection to one of ranks " : "the connections to ranks ")
                + ranks
                + " broke";
    for (int rank : silent) {
      peers[rank].lose(cause == null ? broken : broken + ": " + cause);
    }
    wakeup.ring();
  }
}
