package mpi;

/** A communicator of MPI. */
public class Comm {
  public mpjdev.Comm mpjdevComm;

  protected Comm() {}

  public int Rank() {
    throw new UnsupportedOperationException();
  }

  public int Size() {
    throw new UnsupportedOperationException();
  }

  public void Send(Object buffer, int offset, int count, Datatype type, int to, int tag) {
    throw new UnsupportedOperationException();
  }

  public Status Recv(Object buffer, int offset, int count, Datatype type, int from, int tag) {
    throw new UnsupportedOperationException();
  }
}
