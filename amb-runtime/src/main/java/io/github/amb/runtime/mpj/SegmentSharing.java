package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * This rank's {@link SharedSegment}, created and announced when the first large message is sent.
 * Its partners answer with their next message whether they can read it. The master shares with
 * every worker, a worker with the master. Used by the program's thread alone.
 */
final class SegmentSharing {
  /** Messages with fewer floats than this always go through sockets. */
  static final int MIN = 16 << 10;

  private final Path directory;

  /** The peers to which the segment is announced. */
  final Peer[] partners;

  private SharedSegment segment;
  private boolean tried;
  private boolean hidden;

  /**
   * @param peers by rank; null at this rank
   * @param directory directory of segments, or null to share nothing
   */
  SegmentSharing(Peer[] peers, Path directory) {
    this.directory = directory;
    boolean master = peers[Communicator.MASTER] == null;
    partners =
        Arrays.stream(Peer.others(peers))
            .filter(peer -> master || peer.rank == Communicator.MASTER)
            .toArray(Peer[]::new);
  }

  /** Creates the segment if {@code message} is the first large message; returns null otherwise. */
  SharedSegment offer(Message message) {
    if (tried || directory == null || message.length() < MIN) {
      return null;
    }
    tried = true;
    try {
      segment = SharedSegment.create(directory, message.length());
    } catch (IOException e) {
      segment = null;
    }
    return segment;
  }

  /** Whether the peer reads the segment. */
  boolean reaches(Peer peer) {
    return segment != null && peer.answer() == SegmentAnswer.YES;
  }

  /** Whether one of some peers never reads the segment, or there never is one. */
  boolean excludesSome(Peer[] peers) {
    for (Peer peer : peers) {
      if (directory == null || tried && segment == null || peer.answer() == SegmentAnswer.NO) {
        return true;
      }
    }
    return false;
  }

  /** A slot for a payload to some peers, or null if one of them does not read the segment. */
  Message.Loan lend(Peer[] peers, int length) {
    for (Peer peer : peers) {
      if (!reaches(peer)) {
        return null;
      }
    }
    return length >= MIN && segment != null ? segment.lend(length) : null;
  }

  /**
   * Puts a message's payload into the segment.
   *
   * @param message the message
   * @param readers number of ranks that will read it
   * @return the slot, or {@link ChunkHeader#NO_SLOT} if the message must go through sockets
   */
  int place(Message message, int readers) {
    if (segment == null || message.length() < MIN) {
      return ChunkHeader.NO_SLOT;
    }
    hideIfAllAnswered();
    return readers == 0 ? ChunkHeader.NO_SLOT : segment.place(message, readers);
  }

  /** Returns the slot of a payload that has been sent. */
  void sent(Message message) {
    if (segment != null && segment.owns(message)) {
      message.release();
    }
  }

  /** Removes one reader of a slot, to which the message could not be sent. */
  void withdraw(int slot) {
    segment.withdraw(slot);
  }

  private void hideIfAllAnswered() {
    if (!hidden && Arrays.stream(partners).allMatch(SegmentSharing::needsNoName)) {
      hidden = true;
      segment.hide();
    }
  }

  private static boolean needsNoName(Peer peer) {
    return peer.answer() != SegmentAnswer.NONE || peer.departed || peer.loss() != null;
  }

  void close() {
    if (segment != null) {
      segment.close();
    }
  }
}
