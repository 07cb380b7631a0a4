package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.option.UsageException;
import java.util.Optional;
import java.util.ServiceLoader;

/** The MPI of a site, such as Open MPI or MPICH, whose launcher starts the ranks. */
public interface SiteMpi {
  /** How to get one. */
  String MISSING =
      "--engine openmpi: expected a program built with the site's MPI, found none; install g++ and"
          + " libopenmpi-dev (or libmpich-dev) and build it with scripts/build -Popenmpi"
          + " (docs/how-to/run-on-the-sites-mpi.md)";

  /** The ranks that were started together. */
  interface World {
    /** Their communicator; closing it ends MPI. */
    Communicator communicator();

    /** Name and version of the MPI. */
    String version();

    /** The minimum of all ranks' numbers; every rank must call it. */
    int least(int own);

    /**
     * Ends all ranks at once; may not return.
     *
     * @param code exit code of the launcher
     */
    void abort(int code);
  }

  /**
   * Joins; returns when all ranks have. Call it once.
   *
   * @throws UsageException if MPI's libraries are missing
   * @throws io.github.amb.core.engine.EngineException if MPI does not start
   */
  World join();

  /** The one that this program was built with, if there is one. */
  static Optional<SiteMpi> present() {
    return ServiceLoader.load(SiteMpi.class).findFirst();
  }

  /**
   * The one that this program was built with.
   *
   * @throws UsageException with the way to build one, if there is none
   */
  static SiteMpi find() {
    return present().orElseThrow(() -> new UsageException(MISSING));
  }
}
