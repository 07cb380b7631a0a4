package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedFrameException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.function.BooleanSupplier;

/** What this rank knows about another one. */
final class Peer {
  final int rank;

  /** What this rank has sent and the peer has not consumed. */
  final SendWindow window = new SendWindow();

  /** Head of the chunk that has just arrived; used by the receiving thread. */
  final ChunkHeader header = new ChunkHeader();

  /** Checks that chunk; used by the receiving thread. */
  final ChunkSum sum = new ChunkSum();

  /** The frame that is arriving, or null; used by the receiving thread. */
  Frame arriving;

  /** Number of floats of {@link #arriving} that are there; used by the receiving thread. */
  int arrived;

  /** Number of the peer's frames that this rank's program has consumed; used by its thread. */
  long consumed;

  /** Frames consumed since the last report to the peer; used by the program's thread. */
  long unreportedFrames;

  /** Bytes of payload consumed since the last report to the peer; used by the program's thread. */
  long unreportedBytes;

  /** Payload size of the frame that waits for admission; used by the program's thread. */
  long waitingBytes;

  /** Whether the frame of {@link #waitingBytes} may go, or never will. */
  final BooleanSupplier admission =
      () -> window.admits(waitingBytes) || departed() || loss() != null;

  /** What the peer shares, or null; used by the receiving thread. */
  SegmentReader shelf;

  private volatile SegmentAnswer answer = SegmentAnswer.NONE;
  private volatile SegmentAnswer ownAnswer = SegmentAnswer.NONE;
  private ByteBuffer message;
  private FloatBuffer floats;
  private volatile boolean departed;
  private volatile String loss;
  private volatile MalformedFrameException malformed; // null unless it is why the peer is lost

  Peer(int rank) {
    this.rank = rank;
  }

  /** The floats of {@code message}, which is the same buffer nearly always. */
  FloatBuffer floats(ByteBuffer message) {
    if (this.message != message) {
      this.message = message;
      int end = message.capacity() - ChunkHeader.BYTES;
      floats = message.slice(ChunkHeader.BYTES, end).order(message.order()).asFloatBuffer();
    }
    return floats;
  }

  /** What the peer says to this rank's offer. */
  SegmentAnswer answer() {
    return answer;
  }

  /** Notes what the peer says; it never takes an answer back. */
  void answered(SegmentAnswer said) {
    if (answer == SegmentAnswer.NONE) {
      answer = said;
    }
  }

  /** What this rank says to the peer's offer. */
  SegmentAnswer ownAnswer() {
    return ownAnswer;
  }

  void answer(SegmentAnswer own) {
    ownAnswer = own;
  }

  /** Whether the peer has said goodbye. */
  boolean departed() {
    return departed;
  }

  void depart() {
    departed = true;
  }

  /** Why the peer cannot be reached any more, or null. */
  String loss() {
    return loss;
  }

  /** What the program is told that needs the peer, which is lost. */
  LostException failure() {
    return malformed == null ? new LostException(loss) : malformed.as(rank);
  }

  /** Declares the peer lost; the first reason stays. */
  synchronized void lose(String reason) {
    if (loss == null) {
      loss = reason;
    }
  }

  /** The same, as it has sent a frame that it should not have. */
  synchronized void lose(MalformedFrameException reason) {
    if (loss == null) {
      malformed = reason;
      loss = reason.getMessage();
    }
  }
}
