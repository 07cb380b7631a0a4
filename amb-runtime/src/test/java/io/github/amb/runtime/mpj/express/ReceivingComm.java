package io.github.amb.runtime.mpj.express;

import mpjbuf.Buffer;
import mpjdev.Comm;
import mpjdev.Request;
import mpjdev.Status;

/** A communicator of MPJ Express of which nothing works but to receive. */
final class ReceivingComm extends Comm {
  private final Posting posting;

  /** What a receive does. */
  interface Posting {
    Request post(Buffer buffer);
  }

  ReceivingComm(Posting posting) {
    this.posting = posting;
  }

  @Override
  public Request irecv(Buffer buffer, int from, int tag, Status status, boolean packed) {
    return posting.post(buffer);
  }

  @Override
  public void send(Buffer buffer, int to, int tag, boolean packed) {
    throw new UnsupportedOperationException();
  }
}
