package mpi;

import mpjdev.MPJDevException;

/** A failed call of MPI. */
public class MPIException extends MPJDevException {
  public MPIException(String message) {
    super(message);
  }
}
