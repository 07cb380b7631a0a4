package mpjdev;

import mpjbuf.Buffer;

/** A communicator of the layer above the devices. */
public abstract class Comm {
  public Comm() {}

  public abstract Request irecv(Buffer buffer, int from, int tag, Status status, boolean packed);

  public abstract void send(Buffer buffer, int to, int tag, boolean packed);
}
