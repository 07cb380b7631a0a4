package mpi;

/** A kind of elements. */
public class Datatype {
  protected Datatype() {}
}
