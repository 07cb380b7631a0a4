package mpi;

/** A communicator within one group. */
public class Intracomm extends Comm {
  protected Intracomm() {}
}
