package io.github.amb.openmpi;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.launch.SiteMpi;
import org.bytedeco.javacpp.IntPointer;

/** The site's MPI: Open MPI, MPICH, or another one that this module was built with. */
public final class OpenMpi implements SiteMpi {
  @Override
  public World join() {
    try {
      MpiCalls.check(Mpi.init(), "start");
    } catch (UnsatisfiedLinkError | ExceptionInInitializerError | NoClassDefFoundError e) {
      throw new UsageException(
          "--engine openmpi: expected the MPI library that this program was built with, found none: "
              + e.getMessage());
    }
    return new JoinedWorld(new MpiEngine());
  }

  private record JoinedWorld(MpiEngine engine) implements World {
    @Override
    public Communicator communicator() {
      return engine;
    }

    @Override
    public String version() {
      return MpiCalls.version();
    }

    @Override
    public int least(int own) {
      try (IntPointer least = new IntPointer(1)) {
        MpiCalls.check(Mpi.least(own, least), "compare");
        return least.get(0);
      }
    }

    @Override
    public void abort(int code) {
      Mpi.abort(code);
    }
  }
}
