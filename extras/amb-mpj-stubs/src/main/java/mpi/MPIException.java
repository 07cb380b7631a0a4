package mpi;

import mpjdev.MPJDevException;

/** A failed call of MPI. */
public class MPIException extends MPJDevException {
  private static final long serialVersionUID = 1;

  public MPIException(String message) {
    super(message);
  }
}
