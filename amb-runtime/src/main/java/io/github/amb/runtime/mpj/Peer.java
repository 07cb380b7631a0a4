package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** The state of the connection to another rank. */
final class Peer {
  final int rank;

  /** Its number in the run, by which users know it; that in this generation is its rank. */
  int number;

  final Peer[] alone = {this};

  /** Messages that this rank has sent and the peer has not consumed. */
  final SendWindow window = new SendWindow();

  /** Header of the chunk that has just arrived; used by the receiving thread. */
  final ChunkHeader header = new ChunkHeader();

  /** Checks that chunk; used by the receiving thread. */
  final ChunkSum sum = new ChunkSum();

  /** Decrypts what arrives, or null; used by the receiving thread. */
  Seal incoming;

  /** Encrypts what is sent, or null; used by the program's thread. */
  Seal outgoing;

  /** The message that is arriving, or null; used by the receiving thread. */
  Message arriving;

  /** Number of floats of {@link #arriving} that have arrived; used by the receiving thread. */
  int arrived;

  /** Number of the peer's messages that this rank's program has consumed; used by its thread. */
  long consumed;

  /** Messages consumed since the last report to the peer; used by the program's thread. */
  long unreportedMessages;

  /** Bytes of payload consumed since the last report to the peer; used by the program's thread. */
  long unreportedBytes;

  /** Payload size of the message that waits for admission; used by the program's thread. */
  long waitingBytes;

  /** Whether the current broadcast does not reach the peer; used by the program's thread. */
  boolean excluded;

  /** Whether the peer reads the current broadcast in a slot; used by the program's thread. */
  boolean sharing;

  /** Whether the peer has said goodbye. */
  volatile boolean departed;

  /** Whether the message of {@link #waitingBytes} may be sent, or never will be. */
  final BooleanSupplier admission = () -> window.admits(waitingBytes) || departed || loss() != null;

  /** The peer's shared-memory segment, or null; used by the receiving thread. */
  SegmentReader segment;

  /** This rank's answer to the peer's announcement of a segment. */
  volatile SegmentAnswer ownAnswer = SegmentAnswer.NONE;

  private volatile SegmentAnswer answer = SegmentAnswer.NONE;
  private ByteBuffer message;
  private FloatBuffer floats;
  private volatile String loss;
  private volatile MalformedMessageException malformed; // null unless it is why the peer has failed

  Peer(int rank) {
    this.rank = rank;
    number = rank;
  }

  /** The peers without this rank itself, for which {@code peers} has null. */
  static Peer[] others(Peer[] peers) {
    return Arrays.stream(peers).filter(Objects::nonNull).toArray(Peer[]::new);
  }

  /** The floats of {@code message}, which is usually the same buffer as in the last call. */
  FloatBuffer floats(ByteBuffer message) {
    if (this.message != message) {
      this.message = message;
      int end = message.capacity() - ChunkHeader.BYTES;
      floats = message.slice(ChunkHeader.BYTES, end).order(message.order()).asFloatBuffer();
    }
    return floats;
  }

  /** The peer's answer to this rank's announcement of a segment. */
  SegmentAnswer answer() {
    return answer;
  }

  /** Records the peer's answer, which is final. */
  void answered(SegmentAnswer said) {
    if (answer == SegmentAnswer.NONE) {
      answer = said;
    }
  }

  /** Why the peer cannot be reached any more, or null. */
  String loss() {
    return loss;
  }

  /** The exception for a program that needs the failed peer. */
  LostException failure() {
    return malformed == null ? new LostException(loss) : malformed.as(rank);
  }

  /** Declares the peer failed; the first reason stays. */
  synchronized void lose(String reason) {
    if (loss == null) {
      loss = reason;
    }
  }

  /** Declares the peer failed because of a malformed message; the first reason stays. */
  synchronized void lose(MalformedMessageException reason) {
    if (loss == null) {
      malformed = reason;
      loss = reason.getMessage();
    }
  }
}
