package mpi;

/** What a receive found. */
public class Status {
  protected Status() {}
}
