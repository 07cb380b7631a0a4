package mpjdev;

import mpjbuf.Buffer;

/** A communicator of the layer above the devices. */
public abstract class Comm implements Cloneable {
  public Comm() {}

  public abstract Comm create(int[] ranks);

  public abstract Comm create(Group group);

  public abstract Comm create(Comm comm, Group group, int first, int second, int third);

  public abstract Status probe(int from, int tag);

  public abstract Status iprobe(int from, int tag);

  public abstract Request irecv(Buffer buffer, int from, int tag, Status status, boolean packed);

  public abstract Status recv(Buffer buffer, int from, int tag, boolean packed);

  public abstract void barrier();

  public abstract Request isend(Buffer buffer, int to, int tag, boolean packed);

  public abstract void send(Buffer buffer, int to, int tag, boolean packed);

  public abstract Request issend(Buffer buffer, int to, int tag, boolean packed);

  public abstract void ssend(Buffer buffer, int to, int tag, boolean packed);

  public abstract Comm split(int color, int key);

  @Override
  public Object clone() throws CloneNotSupportedException {
    throw new UnsupportedOperationException();
  }
}
